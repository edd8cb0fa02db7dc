import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PackageRequest, packageService, removePackage } from '../programs/package-service.ts'
import { startTestEngine } from '../store/start-test-engine.ts'

type CleanUp = () => Promise<unknown>

/** The functions that make the parts, by the parts' names. Arguments and results are JSON values. */
const MAKERS: Record<string, (argument: never, cleanUps: CleanUp[]) => Promise<unknown>> = {
  /** Starts an engine for each of jest's workers. */
  async engine(_worker: string, cleanUps) {
    const { endpoint, stop } = await startTestEngine()
    cleanUps.push(stop)
    return { endpoint }
  },
  async package(request: PackageRequest, cleanUps) {
    const folder = await packageService(request)
    cleanUps.push(() => removePackage(folder))
    return { folder }
  },
  async contract({ name, folder }: { name: string; folder?: string }) {
    // Imported only on request, because the compiler is large.
    const { compileContract } = await import('../../../infra/recording/compile-contract.ts')
    return compileContract(name, folder)
  },
}

/**
 * Serves the shared parts of a test run: engines, packages and compiled contracts, which take seconds to create. A part
 * is created at the first request for it, and lasts until the run ends. An engine is a child process that ends with
 * this process, even if this process is killed.
 */
export async function startRunParts() {
  const cleanUps: CleanUp[] = []
  const parts = new Map<string, Promise<unknown>>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const argument = searchParams.get('argument') ?? 'null'
    const key = `${pathname} ${argument}`
    const part = parts.get(key) ?? make(pathname.slice(1), argument)
    parts.set(key, part)
    part.then(
      made => answer(response, 200, JSON.stringify(made)),
      error => answer(response, 500, String(error)),
    )
  })
  async function make(name: string, argument: string) {
    const maker = MAKERS[name]
    if (!maker) throw new Error(`There is no part ${name}`)
    return maker(JSON.parse(argument) as never, cleanUps)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await Promise.all(cleanUps.map(cleanUp => cleanUp()))
    },
  }
}

/** Closes the connection, because the next request may come seconds later, just when an idle connection would close. */
const answer = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { connection: 'close' }).end(text)
