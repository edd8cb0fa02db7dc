import { Ajv2020 } from 'ajv/dist/2020.js'
import { EVENT_KINDS } from '../../../../lib/events/event-kinds.ts'
import { type EventRecord, eventRecordSchema } from '../../../../lib/events/record.ts'
import type { Endpoint } from '../../../../lib/query/endpoints.ts'
import { PARAMETERS } from '../../../../lib/query/parameters.ts'
import { parseQuery } from '../../../../lib/query/parse-query.ts'
import { type Reference, readOpenApiDocument } from '../../../../lib/site/openapi/openapi-document.ts'
import { parseAccepted } from '../../../support/query/parse-accepted.ts'

const { paths, components } = readOpenApiDocument()

test('the examples in the document are real records, one of each kind', () => {
  const schemas = ['Minted', 'MintedBatch', 'Transfer', 'OwnershipTransferred']
  const examples = schemas.flatMap(name => components.schemas[name]?.examples as EventRecord[])

  expect(examples.map(({ event }) => event).toSorted()).toEqual(EVENT_KINDS.toSorted())
  for (const example of examples) expect(eventRecordSchema.parse(example)).toEqual(example)
})

const OPERATIONS: [Endpoint, string][] = [
  ['user-events', '/v1/user-events/{address}'],
  ['token-events', '/v1/token-events'],
]

describe.each(OPERATIONS)('%s', (endpoint, name) => {
  const parameters = paths[name]?.get.parameters ?? []
  const inQuery = parameters.filter(each => each.in === 'query')
  const single = inQuery.filter(({ schema }) => schema.anyOf === undefined)
  const user = `0x${'1'.repeat(40)}`
  const besides = (parameter: string): [string, string][] =>
    parameter === 'tokenId' ? [['address', user]] : []
  const isLegal = (parameter: string, value: unknown) =>
    parseAccepted({ endpoint, user, parameters: [[parameter, String(value)], ...besides(parameter)] }) !==
    undefined

  test('every parameter that is read is described, with an example and a meaning', () => {
    const read = Object.keys(PARAMETERS[endpoint])

    expect(inQuery.map(parameter => parameter.name).toSorted()).toEqual(read.toSorted())
    for (const { description, example, schema } of parameters) {
      expect([Boolean(description), example ?? schema.examples?.[0]]).toEqual([true, expect.anything()])
    }
  })

  test('every example is accepted, by itself and with the others', () => {
    const path = parameters.find(each => each.in === 'path')
    const examples = inQuery.flatMap(({ name, schema }) =>
      [schema.examples?.[0]].flat().map(value => [name, String(value)] as const),
    )
    const parse = (given: (readonly [string, string])[]) =>
      parseQuery({ endpoint, ...(path && { user: String(path.example) }), parameters: given })

    for (const each of examples) parse([each, ...besides(each[0])])
    parse(examples.filter(([parameter]) => parameter !== 'cursor'))
  })

  test('filters come before the order, and the order before the part of the answer', () => {
    const names = inQuery.map(parameter => parameter.name)

    expect(names.slice(-8).join()).toBe('blockNumber,createdAt,skip,limit,cursor,count,format,minBlock')
    expect(parameters[0]?.name).toBe('address')
  })

  test('the example of a 400 is about this endpoint', () => {
    const { $ref } = (paths[name]?.get.responses[400] ?? {}) as Partial<Reference>
    const refusal = JSON.stringify(components.responses[$ref?.split('/').at(-1) ?? ''])

    expect(refusal).toContain(`is not a parameter of ${endpoint};`)
  })

  test.each(single.map(each => [each.name, each.schema] as const))(
    'the documented bounds of %s are the real bounds',
    (parameter, schema) => {
      const { minimum, maximum, minLength, maxLength, examples = [], enum: values = [] } = schema
      const ofLength = (length?: number) => (length === undefined ? [] : ['x'.repeat(length)])
      const legal = [minimum ?? [], maximum ?? [], values, examples, ofLength(minLength), ofLength(maxLength)]
      const illegal = [
        ...[minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : `${maximum}0`],
        ...[values.length > 0 ? 'other' : [], ofLength(minLength && minLength - 1)],
        ofLength(maxLength && maxLength + 1),
      ]
      // A cursor is bound to one request, so its example is valid in no other request.
      if (parameter === 'cursor') return

      expect(legal.flat().filter(value => !isLegal(parameter, value))).toEqual([])
      expect(illegal.flat().filter(value => isLegal(parameter, value))).toEqual([])
    },
  )

  test('a parameter with several values is described as one value or a list, so generated clients accept both', () => {
    const several = Object.entries(PARAMETERS[endpoint]).filter(
      ([parameter, { maxValues }]) => maxValues !== undefined || parameter === 'blockNumber',
    )
    const described = inQuery.filter(({ schema }) => schema.anyOf !== undefined)

    expect(described.map(({ name }) => name).sort()).toEqual(several.map(([parameter]) => parameter).sort())
    for (const { schema } of described) {
      const [one, list] = schema.anyOf ?? []
      expect(list).toMatchObject({ type: 'array', items: one, minItems: 1 })
    }
  })

  test.each([
    [7, true],
    ['asc', true],
    [[7], true],
    [[7, 'desc'], true],
    [['desc', 7], true],
    [[7, 8], false],
    [['asc', 'desc'], false],
    [[7, 'asc', 'desc'], false],
    [[], false],
    [0, false],
    ['up', false],
  ])('%j for blockNumber is described as valid: %s', (value, isValid) => {
    const schema = inQuery.find(parameter => parameter.name === 'blockNumber')?.schema
    const validate = new Ajv2020({ strict: false }).compile(schema as object)

    expect(validate(value)).toBe(isValid)
    const given = [value].flat().map((each): [string, string] => ['blockNumber', String(each)])
    if (given.length > 0)
      expect(parseAccepted({ endpoint, user, parameters: given }) !== undefined).toBe(isValid)
  })
})
