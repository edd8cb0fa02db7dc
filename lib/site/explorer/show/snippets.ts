import { type EventsRequest, requestPath } from '../question/request-of.ts'

export const curlLine = (request: EventsRequest, baseUrl: string): string =>
  `curl ${quoted(`${baseUrl}${requestPath(request)}`)}`

export function clientCode({ endpoint, address, query }: EventsRequest, baseUrl: string): string {
  const options = Object.entries(query).map(entry =>
    `  ${entry.map(part => JSON.stringify(part)).join(': ')},\n`.replace(PLAIN, '$1'),
  )
  const method = endpoint === 'user-events' ? `userEvents(${JSON.stringify(address)}, ` : 'tokenEvents('
  return `import { createEventsClient } from 'blockchain-events-client'

const events = createEventsClient(${JSON.stringify(baseUrl)})
const { records, next } = await events.${method}{
${options.join('')}})`
}

export function exportLine(
  request: EventsRequest,
  { baseUrl, fileName }: { baseUrl: string; fileName: string },
): string {
  const { limit: _, ...query } = request.query
  const url = quoted(`${baseUrl}${requestPath({ ...request, query })}`)
  return `npm run export -- ${url} --format csv --out ${fileName}.csv`
}

/** Quotes text for a shell, and escapes apostrophes, because they would end the quoted string. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * Matches quoted names, numbers and booleans, so that their quotes can be removed. The client's types require numbers
 * and booleans without quotes. Does not match escaped quotes within a text, or numbers with more than 15 digits, which
 * could be rounded.
 */
const PLAIN = /(?<!\\)"0*(\w+(?=":)|true|false|\d{1,15})"/g
