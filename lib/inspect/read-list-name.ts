import { EVENT_KINDS, KINDS, ROLES } from '../events/event-kinds.ts'
import type { EventList } from '../events/lists.ts'
import { CHAINS, NETWORKS, type Network } from '../events/networks.ts'

/**
 * Parses the name of a list, and the network after `@` if there is one. Accepts names as `npm run explain` prints them
 * and as the table's keys contain them. Throws if the text does not name a list, or if its network is missing or not
 * allowed.
 */
export function readListName(text: string): { list: EventList; network: Network | undefined } {
  const [name = '', networkName, ...more] = text.split('@')
  const network = NETWORKS.find(known => known === networkName || CHAINS[known].code === networkName)
  const list = listOf(name.split('#'))
  if (!list || more.length > 0 || (networkName !== undefined && !network)) {
    throw new Error(
      `${text} is not a list: it must look like user#0x…, user#0x…#from, token#0x…#TransferSingle, token#0x…#77, all#Minted@polygon, transaction#0x… or block#123. The name of a list may end with a network, unless it is the list of a transaction or a block`,
    )
  }
  if (list.of === 'all' && !network) {
    throw new Error(
      `A list whose name begins with all is stored by network: write, for example, ${name}@${NETWORKS[0]}`,
    )
  }
  if ((list.of === 'transaction' || list.of === 'block') && network) {
    throw new Error(
      `A transaction or a block is looked up on all networks at the same time: write ${name} without a network`,
    )
  }
  return { list, network }
}

/** Matches the part of a key that identifies a user or a token contract. */
const OWNER_KEY = /^([ut])([0-9a-f]{40})$/
const ADDRESS = /^0x[0-9a-f]{40}$/
const HASH = /^0x[0-9a-f]{64}$/
/** Block numbers have at most 12 digits, because the table's keys have room for 12. */
const BLOCK_NUMBER = /^\d{1,12}$/
const TOKEN_ID = /^(0|[1-9]\d{0,77})$/

function listOf(parts: string[]): EventList | undefined {
  const [of, owner = '', part, ...more] = namedParts(parts)
  if (more.length > 0) return undefined
  const lower = owner.toLowerCase()
  if (of === 'transaction' && part === undefined && HASH.test(lower)) return { of, hash: lower }
  if (of === 'block' && part === undefined && BLOCK_NUMBER.test(owner))
    return { of, blockNumber: Number(owner) }
  if (of === 'all' && part === undefined) return owner === '' ? { of } : ofKind({ of }, owner)
  if ((of !== 'user' && of !== 'token') || !ADDRESS.test(lower)) return undefined
  const whole: EventList = { of, address: lower }
  if (part === undefined) return whole
  if (of === 'token' && TOKEN_ID.test(part)) return { of, address: lower, tokenId: part }
  const role = ROLES.find(known => known === part)
  return of === 'user' && role ? { of, address: lower, role } : ofKind(whole, part)
}

function namedParts([first = '', ...rest]: string[]): string[] {
  const [, initial, digits] = OWNER_KEY.exec(first) ?? []
  return digits === undefined
    ? [first, ...rest]
    : [initial === 'u' ? 'user' : 'token', `0x${digits}`, ...rest]
}

function ofKind(list: EventList, name: string): EventList | undefined {
  const event = EVENT_KINDS.find(known => known === name || KINDS[known].code === name)
  return event && ({ ...list, event } as EventList)
}
