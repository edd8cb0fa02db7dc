import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenAt } from '../../../infra/local/processes/listen-at.ts'
import { createMemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { answerWith } from '../../world/dynamo/memory-request-handler.ts'

export interface StartedEngine {
  endpoint: string
  stop(): Promise<void>
}

/** Listens on a free port, for tests that need an engine's address. */
export async function serveMemoryDynamo(): Promise<StartedEngine> {
  const { execute } = createMemoryDynamo({ now: Date.now })
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target'])
    try {
      const { statusCode, headers, body } = await answerWith(execute, { target, body: await buffer(request) })
      response.writeHead(statusCode, headers).end(body)
    } catch (error) {
      // The status is 400, because the SDK would retry after a 500, and the test would fail only later.
      response.writeHead(400).end(JSON.stringify({ __type: 'UnknownToTheEngine', message: String(error) }))
    }
  })
  // With the default limit, an idle connection might close while tests keep this process busy.
  server.keepAliveTimeout = 0
  const host = '127.0.0.1'
  const endpoint = `http://${host}:${await listenAt(server, { port: 0, host })}`
  return {
    endpoint,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
