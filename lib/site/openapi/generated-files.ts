import path from 'node:path'
import { NETWORKS } from '../../events/networks.ts'
import { PARAMETERS } from '../../query/parameters.ts'
import { DOCS_FILES } from '../look/page-files.ts'
import { buildDocument } from './build-document.ts'
import { buildLlmsText } from './build-llms-text.ts'
import { readExamples } from './example-records.ts'
import { buildReference } from './reference/build-reference.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** What `npm run openapi` writes. The client has its own copies, because it imports nothing from other folders. */
export async function generatedFiles(): Promise<[file: string, text: string][]> {
  const openapi = `${JSON.stringify(await buildDocument(), null, 2)}\n`
  const sources = { document: JSON.parse(openapi), examples: await readExamples() }
  const files = {
    [DOCS_FILES['openapi.json']]: openapi,
    [DOCS_FILES['llms.txt']]: buildLlmsText(sources),
    [DOCS_FILES['reference.html']]: buildReference(sources),
    'lib/client/network.ts': clientNetworkText(),
    'lib/client/parameters.ts': clientParametersText(),
  }
  return Object.entries(files).map(([file, text]) => [path.join(ROOT, file), text])
}

/** The formatter's maximum line length. */
const MAX_LINE_LENGTH = 110

function clientParametersText(): string {
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

function clientNetworkText(): string {
  const names = NETWORKS.map(network => `'${network}'`)
  const line = `export type Network = ${names.join(' | ')}`
  const type =
    line.length <= MAX_LINE_LENGTH
      ? line
      : `export type Network =\n${names.map(name => `  | ${name}`).join('\n')}`
  return `/** The networks of the service; \`npm run openapi\` writes this file. */\n${type}\n`
}
