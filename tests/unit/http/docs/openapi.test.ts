import { readFileSync } from 'node:fs'
import { OPENAPI_FILE, openapiText } from '../../../../infra/commands/openapi/openapi-file.ts'
import type { Endpoint } from '../../../../lib/query/endpoint.ts'
import { PARAMETERS } from '../../../../lib/query/parameters.ts'
import { parseQuery } from '../../../../lib/query/parse-query.ts'

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  example?: unknown
  schema: {
    type: string
    minimum?: number
    maximum?: number
    minLength?: number
    maxLength?: number
    enum?: string[]
    examples?: unknown[]
  }
}

const text = readFileSync(OPENAPI_FILE, 'utf8')
const { paths, components } = JSON.parse(text) as {
  paths: Record<string, { get: { parameters: Parameter[]; responses: Record<string, { $ref: string }> } }>
  components: { responses: Record<string, unknown> }
}
const OPERATIONS: [Endpoint, string][] = [
  ['user-events', '/v1/user-events/{address}'],
  ['token-events', '/v1/token-events'],
]

test('the committed document is what the schemas say today; npm run openapi writes it anew', async () => {
  expect(await openapiText()).toBe(text)
})

describe.each(OPERATIONS)('%s', (endpoint, name) => {
  const parameters = paths[name]?.get.parameters ?? []
  const inQuery = parameters.filter(each => each.in === 'query')
  const single = inQuery.filter(({ schema }) => schema.type !== 'array')
  const user = `0x${'1'.repeat(40)}`
  /** An id means nothing without its contract. */
  const besides = (parameter: string): [string, string][] =>
    parameter === 'tokenId' ? [['address', user]] : []
  const isLegal = (parameter: string, value: unknown) => {
    try {
      const parameters: [string, string][] = [[parameter, String(value)], ...besides(parameter)]
      return Boolean(parseQuery({ endpoint, user, parameters }))
    } catch {
      return false
    }
  }

  test('every parameter that is read is described, with an example and a meaning', () => {
    const read = Object.keys(PARAMETERS[endpoint])

    expect(inQuery.map(parameter => parameter.name).toSorted()).toEqual(read.toSorted())
    for (const { description, example, schema } of parameters) {
      expect([description, example ?? schema.examples?.[0]]).toEqual([
        expect.stringMatching(/./),
        expect.anything(),
      ])
    }
  })

  test('every example is accepted, by itself and with the others', () => {
    const path = parameters.find(each => each.in === 'path')
    const examples = inQuery.flatMap(({ name, schema }) =>
      [schema.examples?.[0]].flat().map(value => [name, String(value)] as const),
    )
    const parse = (given: (readonly [string, string])[]) => () =>
      parseQuery({ endpoint, ...(path && { user: String(path.example) }), parameters: given })

    for (const each of examples) expect(parse([each, ...besides(each[0])])).not.toThrow()
    expect(parse(examples.filter(([parameter]) => parameter !== 'cursor'))).not.toThrow()
  })

  test('filters come before the order, and the order before the part of the answer', () => {
    const names = inQuery.map(parameter => parameter.name)

    expect(names.slice(-6)).toEqual(['blockNumber', 'createdAt', 'skip', 'limit', 'cursor', 'count'])
    expect(parameters[0]?.name).toBe('address')
  })

  test('the example of a refusal speaks of this endpoint', () => {
    const { $ref } = paths[name]?.get.responses[400] ?? {}
    const refusal = JSON.stringify(components.responses[$ref?.split('/').at(-1) ?? ''])

    expect(refusal).toContain(`is not a parameter of ${endpoint};`)
  })

  test.each(single.map(each => [each.name, each.schema] as const))(
    'the bounds told of %s are those it has',
    (parameter, schema) => {
      const { minimum, maximum, minLength, maxLength, examples = [] } = schema
      const legal = [minimum, maximum, ...(schema.enum ?? [])].filter(value => value !== undefined)
      const illegal = [
        minimum !== undefined && minimum - 1,
        maximum !== undefined && `${maximum}0`,
        schema.enum && 'other',
      ]
      const lengths = [minLength, maxLength].filter(length => length !== undefined)

      for (const value of legal) expect([value, isLegal(parameter, value)]).toEqual([value, true])
      for (const value of illegal)
        expect([value, value && isLegal(parameter, value)]).toEqual([value, value && false])
      if (parameter === 'cursor') return
      for (const length of lengths) expect(isLegal(parameter, 'x'.repeat(length))).toBe(true)
      if (minLength !== undefined) expect(isLegal(parameter, 'x'.repeat(minLength - 1))).toBe(false)
      if (maxLength !== undefined) expect(isLegal(parameter, 'x'.repeat(maxLength + 1))).toBe(false)
      for (const value of examples) expect(isLegal(parameter, value)).toBe(true)
    },
  )

  test('blockNumber is described as a list of a number and a direction', () => {
    const schema = inQuery.find(parameter => parameter.name === 'blockNumber')?.schema

    expect(schema).toMatchObject({
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { anyOf: [{ enum: ['asc', 'desc'] }, { type: 'integer', minimum: 1, maximum: 100_000_000 }] },
    })
  })
})
