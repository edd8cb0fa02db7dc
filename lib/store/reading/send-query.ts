import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { CallOptions } from '../../query/event-store.ts'
import { withSignal } from '../call-signal.ts'
import { translateErrors } from './translate-errors.ts'

/** Can throw `StoreUnavailableError` or `TableFormatError`. */
export function sendQuery(call: CallOptions & { client: DynamoDBClient }, input: QueryCommandInput) {
  const command = new QueryCommand(input)
  return translateErrors(withSignal(call, options => call.client.send(command, options)))
}
