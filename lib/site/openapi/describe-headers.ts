import * as z from 'zod/mini'
import { type AnswerKind, type ResponseHeader, responseHeaders } from '../../http/response-headers.ts'

export const meaning = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  (schema as z.ZodMiniType).register(z.globalRegistry, { description }) as Schema

export function describeHeader(name: string, { id, isRequired, description, value }: ResponseHeader) {
  const { example, pattern } = value
  const text = pattern === undefined ? z.string() : z.string().check(z.regex(new RegExp(pattern)))
  const schema: z.ZodMiniType = isRequired ? text : z.optional(text)
  const header = { id: id ?? name.replace(/^(X|Access-Control)-|-/g, ''), description }
  return schema.register(z.globalRegistry, { header, override: { examples: [example] } })
}

const HEADERS = Object.entries(responseHeaders()).map(
  ([name, row]) => [name, describeHeader(name, row), row.answers] as const,
)

/** `others` names further headers, such as the headers of one kind of error. */
export function describeHeaders(kind: AnswerKind, others: readonly string[] = []) {
  const of = HEADERS.filter(([name, , kinds]) => kinds.includes(kind) || others.includes(name))
  return z.object(Object.fromEntries(of))
}
