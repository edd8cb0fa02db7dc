import path from 'node:path'
import { NETWORKS } from '../../events/networks.ts'
import { PARAMETERS } from '../../query/parameters.ts'
import { DOCS_FILES } from '../look/page-files.ts'
import { buildDocument } from './build-document.ts'
import { buildLlmsText } from './build-llms-text.ts'
import { readExamples } from './example-records.ts'
import { buildReference } from './reference/build-reference.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** What `npm run openapi` writes. The client has its own lists, because it imports nothing from other folders. */
export async function generatedFiles(): Promise<[file: string, text: string][]> {
  const openapi = `${JSON.stringify(await buildDocument(), null, 2)}\n`
  const sources = { document: JSON.parse(openapi), examples: await readExamples() }
  const files = {
    [DOCS_FILES['openapi.json']]: openapi,
    [DOCS_FILES['llms.txt']]: buildLlmsText(sources),
    [DOCS_FILES['reference.html']]: buildReference(sources),
    'lib/client/parameters.ts': clientText(),
  }
  return Object.entries(files).map(([file, text]) => [path.join(ROOT, file), text])
}

/** The formatter's maximum line length. */
const MAX_LINE_LENGTH = 110

/** Breaks a line as the formatter would. */
const fitted = (line: string, broken: string) => (line.length <= MAX_LINE_LENGTH ? line : broken)

function clientText(): string {
  const networks = NETWORKS.map(network => `'${network}'`)
  const resources = Object.entries(PARAMETERS)
  const lists = resources.flatMap(([, parameters]) =>
    Object.keys(parameters).filter(name => parameters[name]?.maxValues !== undefined),
  )
  const names = resources.map(([resource, parameters]) => {
    const key = resource.includes('-') ? `'${resource}'` : resource
    const texts = Object.keys(parameters).map(name => `'${name}'`)
    const broken = `  ${key}: [\n${texts.map(text => `    ${text},\n`).join('')}  ],`
    return fitted(`  ${key}: [${texts.join(', ')}],`, broken)
  })
  return `/** The networks of the service; \`npm run openapi\` writes this file. */
${fitted(`export type Network = ${networks.join(' | ')}`, `export type Network =\n  | ${networks.join('\n  | ')}`)}

/** The names of all parameters. */
export const PARAMETERS = {
${names.join('\n')}
} as const

/** The parameters that take several values. */
export const LISTS = [${[...new Set(lists)].map(name => `'${name}'`).join(', ')}] as const
`
}
