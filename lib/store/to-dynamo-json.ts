import { marshall } from '@aws-sdk/util-dynamodb'
import type { Item } from './item.ts'

/**
 * An item as requests and files of an import have it: each value with its type, bytes in Base64. See
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */
export const toDynamoJson = (item: Item): Record<string, object> =>
  Object.fromEntries(
    Object.entries(marshall(item)).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
    ]),
  )
