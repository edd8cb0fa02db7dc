import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { exit } from 'node:process'
import { stop as stopEsbuild } from 'esbuild'
import { listenAt } from '../processes/listen-at.ts'
import { httpApi } from './http-api.ts'
import { lambdaApi } from './lambda-api.ts'
import { localFunctions } from './local-functions.ts'
import { readService, type Serverless } from './read-service.ts'
import type { GatewayMessage } from './serve-api.ts'

interface Options {
  host: string
  httpPort: string
  lambdaPort: string
}

/** Those that other services invoke, by their keys in serverless.yml. */
const INVOKED_FUNCTIONS = ['userEvents', 'tokenEvents', 'changes']

const option = (usage: string) => ({ usage, type: 'string', required: true })

/**
 * A plugin of the framework: `serverless offline start`, as `npm start` runs it, serves the routes and functions of
 * serverless.yml. It has the name for which serverless-esbuild bundles them. It tells the process that started it where
 * functions can be invoked, and their names, once requests are accepted, and ends with it.
 */
export default function serverlessPlugin(serverless: Serverless, { host, httpPort, lambdaPort }: Options) {
  async function serve() {
    // The functions are bundled; its process would only wait for a next time.
    await stopEsbuild()
    const { definitions, routes, folder } = readService(serverless)
    const { invoke } = localFunctions(definitions, { folder })
    const keys = new Map(Object.entries(definitions).map(([key, { name }]) => [name, key]))
    await listen(httpApi({ routes, invoke }), { host, port: httpPort })
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
              lambdaPort: option('The port at which functions can be invoked'),
            },
          },
        },
      },
    },
    hooks: { 'before:offline:start:init': endWithParent, 'offline:start:init': serve },
  }
}

function endWithParent() {
  if (!process.send) return
  process.once('disconnect', () => exit(0))
  if (!process.connected) exit(0)
}

async function listen(answer: RequestListener, { host, port }: { host: string; port: string }) {
  await once(createServer(answer).listen(Number(port), host), 'listening')
}
