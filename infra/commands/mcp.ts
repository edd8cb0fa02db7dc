/** `npm run mcp`: lets assistants query a service through the Model Context Protocol. */
import { PassThrough } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { TIMEOUT_MS } from '../../lib/callers/mcp/call-endpoint.ts'
import { createToolServer } from '../../lib/callers/mcp/create-tool-server.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { explainAbsence } from '../../lib/kit/explain-absence.ts'
import { parseServiceUrl } from '../../lib/kit/parse-options.ts'
import { type AuthorizeOptions, authorizeBy, withAuthorizeOptions } from '../../lib/kit/service-options.ts'
import { stopRequest } from '../../lib/kit/stop-request.ts'

const HELP = `
Assistants start this command themselves; infra/commands/README.md shows the settings that they need.
Call npm with --silent, because standard output must carry only the protocol.

Examples:
  npm run --silent mcp -- http://127.0.0.1:3000
  npm run --silent mcp -- --token "$TOKEN" https://events.example.org`

/** How long the command waits for pending answers after standard input has ended. */
const LAST_ANSWERS_MS = 5000

await withAuthorizeOptions(createCommand('mcp'))
  .description(
    'Serves the endpoints of a service as tools for assistants, using the Model Context Protocol on standard input and output.',
  )
  .argument('<url>', 'the address of the service, without /v1', parseServiceUrl)
  .addHelpText('after', HELP)
  .action(serveTools)
  .parseAsync()

async function serveTools(baseUrl: string, options: AuthorizeOptions) {
  // The command ends if nobody reads standard output. If nobody reads standard error, the command continues, because
  // some assistants read only standard output.
  const request = stopRequest({ output: [process.stdout] })
  const inputEnded = new AbortController()
  const signal = AbortSignal.any([request.stop, inputEnded.signal])
  const authorize = await authorizeBy(options)
  // If the connection read standard input directly, the end of the input would close the connection before the last
  // answers were sent.
  const input = process.stdin.pipe(new PassThrough(), { end: false })
  const connection = serveStdio(() => createToolServer({ baseUrl, authorize, signal }), {
    transport: new StdioServerTransport(input),
    onerror: ({ message }) => console.error(message),
  })
  process.stdin.once('end', () => setTimeout(() => inputEnded.abort(), LAST_ANSWERS_MS).unref())
  signal.addEventListener('abort', () => {
    process.exitCode = request.exitCode
    process.stdin.destroy()
    connection.close()
  })
  const absence = await explainAbsence(baseUrl, { timeoutMs: TIMEOUT_MS, authorize, signal })
  if (absence !== undefined && !signal.aborted) console.error(absence)
}
