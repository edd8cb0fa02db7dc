import { exit } from 'node:process'
import { stop as stopEsbuild } from 'esbuild'
import { behaveLikeApiGateway, type HapiServer } from './behave-like-api-gateway.ts'
import { nameInvocationErrors } from './name-invocation-errors.ts'

interface Serverless {
  service: { getFunction(key: string): { name: string } }
  pluginManager: { plugins: { internals?: () => { getApiGatewayServer(): HapiServer } }[] }
}

/** Those that other services invoke, by their keys in serverless.yml. */
const QUERY_FUNCTIONS = ['userEvents', 'tokenEvents']

/**
 * A plugin of the framework, for `serverless offline` as `npm start` runs it: it ends with the process that
 * started it, answers as AWS does, and tells that process the names of the query functions once requests are accepted.
 */
export default function serverlessPlugin(serverless: Serverless) {
  return {
    hooks: {
      'before:offline:start:init': async () => {
        endWithParent()
        await nameInvocationErrors()
      },
      'after:offline:start:init': async () => {
        // The functions are bundled; its process would only wait for a next time.
        await stopEsbuild()
        behaveLikeApiGateway(gatewayOf(serverless))
        process.send?.(QUERY_FUNCTIONS.map(key => serverless.service.getFunction(key).name))
      },
    },
  }
}

function endWithParent() {
  if (!process.send) return
  process.once('disconnect', () => exit(0))
  if (!process.connected) exit(0)
}

function gatewayOf(serverless: Serverless): HapiServer {
  const offline = serverless.pluginManager.plugins.find(plugin => plugin.internals)
  if (!offline?.internals) throw new Error('This version of serverless-offline gives no access to its server')
  return offline.internals().getApiGatewayServer()
}
