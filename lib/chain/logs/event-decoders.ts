import { type AbiEvent, type AbiParameter, type Hex, parseAbiItem, toEventSelector } from 'viem'
import { type FieldForm, KINDS } from '../../events/event-kinds.ts'
import { ERC721_TRANSFER, KNOWN_EVENTS, type KnownEvent } from './event-declarations.ts'

export interface EventDecoder {
  known: KnownEvent
  /** The types of the topics (except the first) and of the data. `plainType` and `plainTopic` replace some types. */
  indexed: readonly AbiParameter[]
  unindexed: readonly AbiParameter[]
  /** Each field is a constant, or a position in the decoded values, which begin with the values from the topics. */
  fields: readonly EventField[]
}

type AbiEventParameter = AbiEvent['inputs'][number]

type EventField = {
  name: string
  /** Whether the field is a list. If so, a single value becomes a list of one value. */
  list: boolean
} & ({ index: number; type: string } | { constant: string })

/** The decoders by first topic. A topic has several decoders if contracts index different parameters of an event. */
export type EventDecoders = ReadonlyMap<string, readonly EventDecoder[]>

/** Throws a `TypeError` for a row whose parameters don't fit its fields. */
export function prepareDecoders(table: readonly KnownEvent[]): EventDecoders {
  const decoders = new Map<string, EventDecoder[]>()
  for (const known of table) {
    const abi = parseAbiItem(known.signature as string) as AbiEvent
    const topic = toEventSelector(abi)
    decoders.set(topic, [...(decoders.get(topic) ?? []), prepare(known, abi.inputs)])
  }
  return decoders
}

function prepare(known: KnownEvent, inputs: readonly AbiEventParameter[]): EventDecoder {
  const indexed = inputs.filter(input => input.indexed)
  const unindexed = inputs.filter(input => !input.indexed)
  const ordered = [...indexed, ...unindexed]
  const forms: Readonly<Record<string, FieldForm>> = KINDS[known.event].fields
  const fields = Object.entries(known.fields).map(([name, parameter]): EventField => {
    const form = forms[name]
    if (!form)
      throw new TypeError(
        `${known.event} has no field ${name}, so this signature cannot fill it: ${known.signature}`,
      )
    const list = form === 'ids' || form === 'quantities'
    if (typeof parameter !== 'string') return { name, list, ...parameter }
    const index = ordered.findIndex(input => input.name === parameter)
    const input = ordered[index]
    if (!input)
      throw new TypeError(
        `The parameter ${parameter}, which must fill the field ${name}, is missing in: ${known.signature}`,
      )
    if (!fits(form, input)) {
      throw new TypeError(`The parameter ${parameter} cannot fill the field ${name} in: ${known.signature}`)
    }
    return { name, index, type: input.type, list }
  })
  return { known, indexed: indexed.map(plainTopic), unindexed: unindexed.map(plainType), fields }
}

function fits(form: FieldForm, { type, indexed }: AbiEventParameter): boolean {
  switch (form) {
    case 'user':
    case 'address':
      return type === 'address'
    case 'text':
      return type === 'string' && !indexed
    case 'uint256':
      return /^uint\d+$/.test(type)
    case 'ids':
    case 'quantities':
      return /^uint\d+$/.test(type) || (/^uint\d+\[\]$/.test(type) && !indexed)
  }
}

/** With the real types, viem would compute checksums for addresses, and replace or drop invalid bytes in strings. */
function plainType(input: AbiParameter): AbiParameter {
  if (input.type === 'address') return { ...input, type: 'uint160' }
  if (input.type === 'string') return { ...input, type: 'bytes' }
  return input
}

/** If an indexed parameter is a string, bytes, an array or a tuple, its topic contains only the hash of the value. */
const plainTopic = (input: AbiParameter): AbiParameter =>
  /^(string|bytes|tuple.*|.*\])$/.test(input.type) ? { name: input.name, type: 'bytes32' } : plainType(input)

export const DECODERS = prepareDecoders(KNOWN_EVENTS)
const WITH_ERC721 = prepareDecoders([...KNOWN_EVENTS, ERC721_TRANSFER])

export interface FurtherEvents {
  /** Whether to read ERC-721 transfers, as `TransferSingle` events with quantity 1. False by default. */
  erc721?: boolean | undefined
}

export const decodersOf = ({ erc721 }: FurtherEvents): EventDecoders => (erc721 ? WITH_ERC721 : DECODERS)

export const topicsOf = (decoders: EventDecoders): Hex[] => [...decoders.keys()] as Hex[]
