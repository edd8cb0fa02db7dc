import path from 'node:path'
import { NETWORKS } from '../../events/networks.ts'
import { PARAMETERS } from '../../query/parameters.ts'
import { DOCS_FILES } from '../look/page-files.ts'
import { buildDocument } from './build-document.ts'
import { buildLlmsText } from './build-llms-text.ts'
import { readExamples } from './example-records.ts'
import { readOpenApiDocument } from './openapi-document.ts'
import { buildReference } from './reference/build-reference.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

type NamedText = [file: string, text: string]

/**
 * Returns the files that `npm run openapi` writes. The client gets lists of its own, because it imports nothing from
 * other folders.
 */
export async function generatedFiles(): Promise<NamedText[]> {
  return inRoot({
    [DOCS_FILES['openapi.json']]: `${JSON.stringify(await buildDocument(), null, 2)}\n`,
    'lib/client/parameters.ts': clientText(),
  })
}

/**
 * The files that are built together with the Lambda functions, from the OpenAPI document that `npm run openapi` has
 * written.
 */
export async function documentationFiles(): Promise<NamedText[]> {
  const sources = { document: readOpenApiDocument(), examples: await readExamples() }
  return inRoot({
    [DOCS_FILES['llms.txt']]: buildLlmsText(sources),
    [DOCS_FILES['reference.html']]: buildReference(sources),
  })
}

const inRoot = (texts: Record<string, string>): NamedText[] =>
  Object.entries(texts).map(([file, text]) => [path.join(ROOT, file), text])

/** The formatter's maximum line length. */
const MAX_LINE_LENGTH = 110

/** Breaks a line as the formatter would. */
const fitted = (line: string, broken: string) => (line.length <= MAX_LINE_LENGTH ? line : broken)

function clientText(): string {
  const networks = NETWORKS.map(network => `'${network}'`)
  const lists = Object.values(PARAMETERS).flatMap(parameters =>
    Object.keys(parameters).filter(name => parameters[name]?.maxValues !== undefined),
  )
  const textsOf = (parameters: object) => Object.keys(parameters).map(name => `'${name}'`)
  const common = textsOf(PARAMETERS['user-events'])
  const ofTokens = textsOf(PARAMETERS['token-events']).filter(text => !common.includes(text))
  const list = (start: string, texts: readonly string[]) =>
    fitted(`${start}[${texts.join(', ')}]`, `${start}[\n${texts.map(text => `  ${text},\n`).join('')}]`)
  const inObject = (start: string, texts: readonly string[]) =>
    `  ${list(start, texts).replaceAll('\n', '\n  ')},`
  return `/** The networks of the service; \`npm run openapi\` writes this file. */
${fitted(`export type Network = ${networks.join(' | ')}`, `export type Network =\n  | ${networks.join('\n  | ')}`)}

${list('const COMMON = ', common)} as const

/** The names of all parameters. */
export const PARAMETERS = {
  'user-events': COMMON,
${inObject("'token-events': ", [...ofTokens, '...COMMON'])}
${inObject('changes: ', textsOf(PARAMETERS.changes))}
} as const

/** The parameters that take several values. */
export const LISTS = [${[...new Set(lists)].map(name => `'${name}'`).join(', ')}] as const
`
}
