import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Engine, startEngine } from '../../../infra/local/engine/start-engine.ts'
import { type PackageRequest, packageService, removePackage } from '../programs/package-service.ts'
import { engineName } from '../store/engine-name.ts'

/** The part's argument comes as JSON, and so goes the part. */
type Maker = (argument: never) => Promise<unknown>

export interface RunParts {
  /** Where the test files ask for the parts; see `run-part.ts`. */
  address: string
  stop(): Promise<void>
}

/**
 * What costs seconds to make and serves many test files: a part is made when it is first asked for, and lasts
 * until the run ends. The engines are processes that end with this one, however it ends.
 */
export async function startRunParts(): Promise<RunParts> {
  const engines: Engine[] = []
  const folders: string[] = []
  const makers: Record<string, Maker> = {
    /** One for each of jest's workers. */
    async engine(_worker: string) {
      const engine = await startEngine({ engine: engineName() })
      engines.push(engine)
      return { endpoint: engine.endpoint }
    },
    async package(request: PackageRequest) {
      const folder = await packageService(request)
      folders.push(folder)
      return { folder }
    },
    async contract(name: string) {
      // Loaded when it is needed: the compiler is large.
      const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
      return compileContract(name)
    },
  }
  const parts = new Map<string, Promise<unknown>>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const key = `${pathname}?${searchParams}`
    const part = parts.get(key) ?? make(pathname.slice(1), searchParams.get('argument') ?? 'null')
    parts.set(key, part)
    part.then(
      made => answer(response, 200, JSON.stringify(made)),
      error => answer(response, 500, String(error)),
    )
  })
  async function make(name: string, argument: string) {
    const maker = makers[name]
    if (!maker) throw new Error(`There is no part ${name}`)
    return maker(JSON.parse(argument) as never)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await Promise.all([...engines.map(engine => engine.stop()), ...folders.map(removePackage)])
    },
  }
}

/** Seconds pass until the next question, by when a kept connection may just be closed. */
const answer = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { connection: 'close' }).end(text)
