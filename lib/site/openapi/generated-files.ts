import { fileURLToPath } from 'node:url'
import { NETWORKS } from '../../events/networks.ts'
import { PARAMETERS } from '../../query/parameters.ts'
import { buildDocument } from './build-document.ts'
import { buildLlmsText } from './build-llms-text.ts'
import { readExamples } from './example-records.ts'
import { buildReference } from './reference/build-reference.ts'

/** The OpenAPI document, which the documentation function serves. */
export const OPENAPI_FILE = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))

/** The current text of the OpenAPI document. */
export const openapiText = async (): Promise<string> => `${JSON.stringify(await buildDocument(), null, 2)}\n`

/** The text that the documentation function serves at `/llms.txt`. */
export const LLMS_FILE = fileURLToPath(new URL('../docs/llms.txt', import.meta.url))

/** The current text of `llms.txt`. */
export const llmsText = async (): Promise<string> =>
  buildLlmsText({ document: JSON.parse(await openapiText()), examples: await readExamples() })

/** The reference, which the documentation function inserts into its page. */
export const REFERENCE_FILE = fileURLToPath(new URL('../docs/reference.html', import.meta.url))

/** The current text of the reference. */
export const referenceText = async (): Promise<string> =>
  buildReference({ document: JSON.parse(await openapiText()), examples: await readExamples() })

/** The formatter's maximum length of a line. */
const MAX_LINE_LENGTH = 110

/** The client's own list of parameters. The client imports nothing from outside its folder. */
export const CLIENT_PARAMETERS_FILE = fileURLToPath(new URL('../../client/parameters.ts', import.meta.url))

/** The current text of the client's list of parameters. */
export function clientParametersText(): string {
  const resources = Object.entries(PARAMETERS)
  const lists = resources.flatMap(([, parameters]) =>
    Object.keys(parameters).filter(name => parameters[name]?.maxValues !== undefined),
  )
  const names = resources.map(([resource, parameters]) => {
    const key = resource.includes('-') ? `'${resource}'` : resource
    const texts = Object.keys(parameters).map(name => `'${name}'`)
    const line = `  ${key}: [${texts.join(', ')}],`
    return line.length <= MAX_LINE_LENGTH
      ? line
      : `  ${key}: [\n${texts.map(text => `    ${text},\n`).join('')}  ],`
  })
  return `/** The names of all parameters; \`npm run openapi\` writes this file. */
export const PARAMETERS = {
${names.join('\n')}
} as const

/** The parameters that take several values. */
export const LISTS = [${[...new Set(lists)].map(name => `'${name}'`).join(', ')}] as const
`
}

/** The client's own type of network names. The client imports nothing from outside its folder. */
export const CLIENT_NETWORK_FILE = fileURLToPath(new URL('../../client/network.ts', import.meta.url))

/** The current text of the client's type of network names. */
export function clientNetworkText(): string {
  const names = NETWORKS.map(network => `'${network}'`)
  const line = `export type Network = ${names.join(' | ')}`
  const type =
    line.length <= MAX_LINE_LENGTH
      ? line
      : `export type Network =\n${names.map(name => `  | ${name}`).join('\n')}`
  return `/** The networks of the service; \`npm run openapi\` writes this file. */\n${type}\n`
}
