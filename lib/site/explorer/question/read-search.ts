import { CHAINS, NETWORKS, type Network } from '../../../events/networks.ts'
import type { Parameters, Question } from './question.ts'

/** An address alone may be a wallet or a contract. The hint is a sentence that explains the mistake. */
type SearchReading = { question: Question } | { address: string } | { hint: string }

const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/i
/**
 * An address, optionally followed by a token id or by a holder's address. People and sites separate the parts with a
 * colon, a comma, a slash, `#`, `?a=`, `/instance/`, the word "token" or "id", or a space.
 */
const ADDRESS =
  /(0x[0-9a-f]{40})(?![0-9a-f])(?:(?:[\s:,/#]|\?a=|instance|token|id)+(0x[0-9a-f]+|\d+)(?![0-9a-z]))?/i
const WHOLE_ADDRESS = /^0x[0-9a-f]{40}$/i
const DAY = /^\d{4}-\d\d-\d\d$/
const BLOCK = /^(?:block\s*)?#?(\d[\d,_ ]*)$/i
const BLOCK_URL = /^https?:\/\/.*\/blocks?\/(\d+)(?![\w-])/i
const HEX = /^0x([0-9a-z]*)$/i

export const ADDRESS_DIGITS = 40
export const HASH_DIGITS = 64

/**
 * Everything except a day is also recognised within a block explorer's URL. A record's id leads to the record's
 * transaction.
 */
export function readSearch(typed: string): SearchReading {
  const text = typed.trim()
  const about = (parameters: Parameters) => ({ question: { parameters } })
  if (text === '') return about({})
  if (DAY.test(text)) return about({ fromTime: [text], toTime: [text] })
  const [transactionHash] = HASH.exec(text) ?? []
  if (transactionHash) return about({ transactionHash: [transactionHash.toLowerCase()] })
  const [address, other] =
    ADDRESS.exec(text)
      ?.slice(1)
      .map(part => part?.toLowerCase()) ?? []
  // The second address is a holder of the contract's tokens.
  if (address && other && WHOLE_ADDRESS.test(other))
    return { question: { wallet: other, parameters: { address: [address] } } }
  if (address && other) return about({ address: [address], tokenId: [other] })
  if (address) return { address }
  const [, block] = BLOCK.exec(text) ?? BLOCK_URL.exec(text) ?? []
  const blockNumber = block?.replaceAll(/\D/g, '')
  return blockNumber ? about({ fromBlock: [blockNumber], toBlock: [blockNumber] }) : { hint: hintOf(text) }
}

const LINK = /^https?:\/\/(?:www\.)?([^/:?#]+)[^/?#]*([^?#]*)/i
/** Network names that Blockscout and marketplaces use in links, in addition to the names and codes in `CHAINS`. */
const OTHER_NAMES: Readonly<Record<string, Network>> = { bsc: 'bnb-chain', matic: 'polygon' }

/**
 * Returns the network of a pasted link. The block explorer's host, Blockscout's subdomain or a marketplace's path
 * identifies the network. Returns undefined for other text, and `unknown` for a link without a known network.
 */
export function readNetwork(typed: string): Network | 'unknown' | undefined {
  const [, host = '', path = ''] = LINK.exec(typed.trim()) ?? []
  if (host === '') return undefined
  const [first, ...domain] = host.toLowerCase().split('.')
  const names = domain.join('.') === 'blockscout.com' ? [first] : path.toLowerCase().split('/')
  const isNamed = (name: Network) =>
    CHAINS[name].explorer.url === `https://${host.toLowerCase()}` ||
    names.some(each => each === name || each === CHAINS[name].code || OTHER_NAMES[each ?? ''] === name)
  return NETWORKS.find(isNamed) ?? 'unknown'
}

const ADDRESSES = /0x[0-9a-f]{40}(?![0-9a-f])/gi

/** Returns the mixed-case addresses in a text, whose upper- and lower-case letters encode a checksum (EIP-55). */
export const checksummedIn = (text: string): string[] =>
  (text.match(ADDRESSES) ?? []).filter(([, , ...digits]) => {
    const letters = digits.join('')
    return letters !== letters.toLowerCase() && letters !== letters.toUpperCase()
  })

function hintOf(text: string): string {
  const [, digits = ''] = HEX.exec(text) ?? []
  const isNearlyHash = digits.length > (ADDRESS_DIGITS + HASH_DIGITS) / 2
  const hint = hexHint(text, isNearlyHash ? HASH_DIGITS : ADDRESS_DIGITS)
  if (hint !== undefined) return hint
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(text)) return 'Write 0x in front of the digits.'
  if (/\.eth$/i.test(text))
    return 'Names are not resolved here, so paste the address that the name stands for.'
  if (/…|\.\.\./.test(text)) return 'This address or hash is shortened. Copy the whole of it.'
  return 'This is not an address (0x and 40 hex digits), a transaction hash (0x and 64), a block number or a date.'
}

/** `wanted` is the expected number of hex digits. Returns undefined if the text does not start with `0x`. */
export function hexHint(text: string, wanted: number): string | undefined {
  const [, digits] = HEX.exec(text) ?? []
  if (digits === undefined) return undefined
  const stray = /[^0-9a-f]/i.exec(digits)?.[0]
  if (stray) return `“${stray}” is not a hex digit (0 to 9 or a to f).`
  const what = wanted === HASH_DIGITS ? 'A transaction hash' : 'An address'
  return `${what} has ${wanted} hex digits after 0x; this has ${digits.length}.`
}
