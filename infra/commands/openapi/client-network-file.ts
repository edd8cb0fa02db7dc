import { fileURLToPath } from 'node:url'
import { NETWORKS } from '../../../lib/events/networks.ts'

/** Where the client's own type of the networks' names stands: the client imports nothing from outside its folder. */
export const CLIENT_NETWORK_FILE = fileURLToPath(new URL('../../../lib/client/network.ts', import.meta.url))

/** Of a line, as the formatter has it. */
const MAX_LINE_LENGTH = 110

/** What stands there when nothing has changed since. */
export function clientNetworkText(): string {
  const names = NETWORKS.map(network => `'${network}'`)
  const line = `export type Network = ${names.join(' | ')}`
  const type =
    line.length <= MAX_LINE_LENGTH
      ? line
      : `export type Network =\n${names.map(name => `  | ${name}`).join('\n')}`
  return `/** The networks that are served; \`npm run openapi\` writes this file. */\n${type}\n`
}
