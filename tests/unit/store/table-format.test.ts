import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { readTableDefinition } from '../../../infra/deploy/read-table-definition.ts'
import { checkTableFormat, isOfOtherKeys, TableFormatError } from '../../../lib/store/format/table-format.ts'
import { translateErrors } from '../../../lib/store/reading/translate-errors.ts'

const deployed = { ...readTableDefinition(), TableName: 'events' } as TableDescription
const { KeySchema = [], GlobalSecondaryIndexes: indexes = [] } = deployed

test('the deployed table has the format of this version', () => {
  expect(() => checkTableFormat(deployed)).not.toThrow()
})

test.each<[string, Partial<TableDescription>]>([
  ['with keys in another order', { KeySchema: KeySchema.toReversed() }],
  ['with one key', { KeySchema: KeySchema.slice(0, 1) }],
  ['without indexes', { GlobalSecondaryIndexes: undefined }],
  ['without one of the indexes', { GlobalSecondaryIndexes: indexes.slice(1) }],
  ['with other keys of indexes', { GlobalSecondaryIndexes: indexes.map(index => ({ ...index, KeySchema })) }],
])('a table %s does not have the format of this version', (_, change) => {
  expect(() => checkTableFormat({ ...deployed, ...change })).toThrow(TableFormatError)
})

/** The message comes from DynamoDB or from DynamoDB Local. */
const refusal = (message: string, name = 'ValidationException') =>
  Object.assign(new Error(message), { name, $fault: 'client' })

test.each([
  'Query condition missed key schema element: l',
  'The provided key element does not match the schema',
  'One or more parameter values were invalid: Missing the key list in the item',
  'One of the required keys was not given a value',
])('an error because of other keys is recognised: %s', async message => {
  expect(isOfOtherKeys(refusal(message))).toBe(true)
  await expect(translateErrors(Promise.reject(refusal(message)))).rejects.toThrow(TableFormatError)
})

test.each([
  refusal('1 validation error detected: Value at tableName failed to satisfy constraint'),
  refusal('Query condition missed key schema element: l', 'ThrottlingException'),
  new Error('Query condition missed key schema element: l'),
  'Query condition missed key schema element: l',
])('another error is not: %s', async error => {
  expect(isOfOtherKeys(error)).toBe(false)
  await expect(translateErrors(Promise.reject(error))).rejects.not.toThrow(TableFormatError)
})
