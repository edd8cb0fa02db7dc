/** What somebody has typed or pasted into the search field. */
export type SearchReading =
  | { means: 'address'; address: string }
  | { means: 'token'; address: string; tokenId: string }
  | { means: 'transaction'; transactionHash: string }
  | { means: 'block'; blockNumber: string }
  | { means: 'everything' }
  /** A sentence that says what is wrong with it. */
  | { means: 'nothing'; hint: string }

const HASH = /0x[0-9a-f]{64}(?![0-9a-f])/i
/** With what follows it: a token's id behind a colon, a slash, `#`, `?a=` or a space, as people and sites write it. */
const ADDRESS = /(0x[0-9a-f]{40})(?![0-9a-f])(?:(?:[\s:/#]|\?a=)+(0x[0-9a-f]+|\d+)(?![0-9a-z]))?/i
const BLOCK = /^(?:block\s*)?#?(\d[\d,_ ]*)$/i
const HEX = /^0x([0-9a-z]*)$/i

export const ADDRESS_DIGITS = 40
export const HASH_DIGITS = 64

/**
 * Understands addresses, tokens, transaction hashes and block numbers, also inside of the address of a block explorer's
 * page or of a record's id.
 */
export function readSearch(typed: string): SearchReading {
  const text = typed.trim()
  if (text === '') return { means: 'everything' }
  const [transactionHash] = HASH.exec(text) ?? []
  if (transactionHash) return { means: 'transaction', transactionHash: transactionHash.toLowerCase() }
  const [, address, tokenId] = ADDRESS.exec(text) ?? []
  if (address && tokenId) return { means: 'token', address: address.toLowerCase(), tokenId }
  if (address) return { means: 'address', address: address.toLowerCase() }
  const [, block] = BLOCK.exec(text) ?? []
  if (block) return { means: 'block', blockNumber: block.replaceAll(/\D/g, '') }
  return { means: 'nothing', hint: hintOf(text) }
}

function hintOf(text: string): string {
  const [, digits = ''] = HEX.exec(text) ?? []
  const isNearlyHash = digits.length > (ADDRESS_DIGITS + HASH_DIGITS) / 2
  const hint = hexHint(text, isNearlyHash ? HASH_DIGITS : ADDRESS_DIGITS)
  if (hint !== undefined) return hint
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(text)) return 'Write 0x in front of it.'
  if (/\.eth$/i.test(text)) return 'Names are not resolved here. Paste the address that the name stands for.'
  if (/…|\.\.\./.test(text)) return 'This address is shortened. Copy it whole from where you have it.'
  return 'This is no address (0x and 40 hex digits), no transaction hash (0x and 64) and no block number.'
}

/** What is wrong with an address or a hash, by how many digits it should have; undefined where it does not begin as one. */
export function hexHint(text: string, wanted: number): string | undefined {
  const [, digits] = HEX.exec(text) ?? []
  if (digits === undefined) return undefined
  const stray = /[^0-9a-f]/i.exec(digits)?.[0]
  if (stray) return `“${stray}” is no hex digit: those are 0 to 9 and a to f.`
  const what = wanted === HASH_DIGITS ? 'A transaction hash' : 'An address'
  return `${what} has ${wanted} hex digits after 0x; here are ${digits.length}.`
}
