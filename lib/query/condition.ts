import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'

/** What a row is tested for. Each form has a field that is not optional, so an empty condition does not compile. */
export type Condition = FieldCondition | CommonCondition

/** Of what every record has. */
type CommonCondition = FromBlockCondition | ToBlockCondition | FinalityCondition

/** One of the record's fields has one of these values, or holds it where it is a list. */
interface FieldCondition {
  fields: readonly string[]
  anyOf: readonly unknown[]
}

/** The block has this number or a higher one. */
interface FromBlockCondition {
  fromBlock: number
}

/** The block has this number or a lower one. */
interface ToBlockCondition {
  toBlock: number
}

/** The block is final, as far as that is known of its network; undefined where it was not asked what is. */
interface FinalityCondition {
  finalThrough: ReadonlyMap<Network, number> | undefined
}

/** Whether a record meets all conditions. */
export const meetsAll = (record: EventRecord, conditions: readonly Condition[]): boolean =>
  conditions.every(condition => meets(record, condition))

function meets(record: EventRecord, condition: Condition): boolean {
  const { blockNumber, network } = record
  if ('fields' in condition) {
    const { fields, anyOf } = condition
    return fields.some(field => hasOneOf((record as Readonly<Record<string, unknown>>)[field], anyOf))
  }
  if ('finalThrough' in condition) return blockNumber <= (condition.finalThrough?.get(network) ?? -1)
  if ('fromBlock' in condition) return condition.fromBlock <= blockNumber
  return blockNumber <= condition.toBlock
}

const hasOneOf = (value: unknown, anyOf: readonly unknown[]): boolean =>
  Array.isArray(value) ? anyOf.some(each => value.includes(each)) : anyOf.includes(value)

/** The fields that a condition looks at beyond those that every record has. */
export const fieldsOfCondition = (condition: Condition): readonly string[] =>
  'fields' in condition ? condition.fields : fieldsOfCommon(condition)

/** A condition of another form does not compile here, for such a condition may look at fields of a kind. */
const fieldsOfCommon = (_: CommonCondition): readonly string[] => []
