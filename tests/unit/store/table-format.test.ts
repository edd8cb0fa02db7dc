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

const MISSED = 'Query condition missed key schema element: l'

test.each<[error: unknown, isRecognised: boolean]>([
  [refusal(MISSED), true],
  [refusal('The provided key element does not match the schema'), true],
  [refusal('One or more parameter values were invalid: Missing the key list in the item'), true],
  [refusal('One of the required keys was not given a value'), true],
  [refusal('1 validation error detected: Value at tableName failed to satisfy constraint'), false],
  [refusal(MISSED, 'ThrottlingException'), false],
  [new Error(MISSED), false],
  [MISSED, false],
])('%s is recognised as an error because of other keys: %s', async (error, isRecognised) => {
  const translated = await translateErrors(Promise.reject(error)).catch(caught => caught)

  expect(isOfOtherKeys(error)).toBe(isRecognised)
  expect(translated instanceof TableFormatError).toBe(isRecognised)
})
