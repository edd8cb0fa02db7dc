import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { exit } from 'node:process'
import { stop as stopEsbuild } from 'esbuild'
import { buildPages } from '../../deploy/build-pages.ts'
import { bundleFunction, entryOf } from '../../deploy/bundle-function.ts'
import type { Serverless } from '../../deploy/framework.ts'
import { listenAt } from '../processes/listen-at.ts'
import { httpApi } from './http-api.ts'
import { lambdaApi } from './lambda-api.ts'
import { type FunctionDefinition, localFunctions } from './local-functions.ts'
import { readService } from './read-service.ts'
import type { GatewayMessage } from './serve-api.ts'

interface Options {
  host: string
  httpPort: string
  lambdaPort: string
  buildFolder: string
}

/** The functions that other services may invoke, by their keys in serverless.yml. */
const INVOKED_FUNCTIONS = ['userEvents', 'tokenEvents', 'changes']

const option = (usage: string) => ({ usage, type: 'string', required: true })

/**
 * A Serverless Framework plugin that serves the routes and functions in serverless.yml when `npm start` runs
 * `serverless offline start`. As soon as the plugin accepts requests, it sends the parent process the functions' names
 * and the port for invoking them. The plugin ends when the parent process ends.
 */
export default function serverlessPlugin(
  serverless: Serverless,
  { host, httpPort, lambdaPort, buildFolder }: Options,
) {
  async function serve() {
    const { definitions, routes } = readService(serverless)
    await bundleAll(definitions, buildFolder)
    const invoke = localFunctions(definitions, buildFolder)
    const keys = new Map(Object.entries(definitions).map(([key, { name }]) => [name, key]))
    await once(createServer(httpApi({ routes, invoke })).listen(Number(httpPort), host), 'listening')
    const lambda = createServer(lambdaApi({ keys, invoke }))
    const message: GatewayMessage = {
      lambdaPort: await listenAt(lambda, { host, port: Number(lambdaPort) }),
      functionNames: INVOKED_FUNCTIONS.flatMap(key => definitions[key]?.name ?? []),
    }
    process.send?.(message)
    await once(process, 'disconnect')
  }
  return {
    commands: {
      offline: {
        commands: {
          start: {
            usage: 'Serves the routes and functions on this machine',
            lifecycleEvents: ['init'],
            options: {
              host: option('The address to listen on'),
              httpPort: option('The port of the API'),
              lambdaPort: option('The port on which functions can be invoked'),
              buildFolder: option('The folder into which the functions are bundled'),
            },
          },
        },
      },
    },
    hooks: { 'before:offline:start:init': endWithParent, 'offline:start:init': () => serve().catch(fail) },
  }
}

async function bundleAll(definitions: Record<string, FunctionDefinition>, folder: string) {
  const entries = Object.values(definitions).map(({ handler }) => entryOf(handler))
  const outdir = path.resolve(folder)
  await Promise.all([
    buildPages(),
    ...entries.map(entry => bundleFunction(entry, { root: process.cwd(), outdir })),
  ])
  // Without this call, the bundler's process would keep running and wait for another build.
  await stopEsbuild()
}

/**
 * Exits, because otherwise the bundler and the channel to the parent process would keep this process running after the
 * error.
 */
function fail(error: unknown) {
  console.error(error)
  exit(1)
}

function endWithParent() {
  if (!process.send) return
  process.once('disconnect', () => exit(0))
  if (!process.connected) exit(0)
}
