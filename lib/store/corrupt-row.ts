import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { CorruptRowError } from '../query/errors.ts'
import type { AttributeMap } from './event-table.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'

/** The error for an item that is no event's. */
export const corruptRow = (item: AttributeMap, cause: unknown): CorruptRowError =>
  new CorruptRowError({ list: keyText(item[LIST_KEY]), place: keyText(item[PLACE_KEY]), cause })

const keyText = (value: AttributeValue | undefined) => value?.S ?? value?.N ?? 'without key'
