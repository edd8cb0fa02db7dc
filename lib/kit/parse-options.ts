import { env } from 'node:process'
import { InvalidArgumentError, type Option } from 'commander'
import type { Confirmations } from '../chain/nodes/finality.ts'
import { checkAddress } from '../client/send.ts'
import { firstSecondFrom, instant } from '../query/time-values.ts'
import { withoutPasswords } from './printable.ts'

/**
 * Makes the environment variable's value the option's default. As in the AWS SDK and CLI, an empty variable is ignored.
 */
export function fromVariable(name: string, option: Option): Option {
  if (env[name] === '') delete env[name]
  return option.env(name)
}

/**
 * Whether the URL seems to contain a password with a slash. In such a URL, the beginning of the password looks like a
 * host or a port.
 */
export const hasSlashInPassword = (url: string): boolean =>
  /^[^/:]*:[\\/\s]*(?![\\/\s]|[^\\/?#]*@)[^?#]*:[^?#]*@/.test(url)

export function parseUrl(value: string): string {
  if (hasSlashInPassword(value))
    throw new InvalidArgumentError(
      'A slash in a password must be written as %2F, and an at sign in a path as %40.',
    )
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8000.')
}

export function parseServiceUrl(value: string): string {
  try {
    checkAddress(value)
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message} (--token or --sign).`)
  }
  return parseUrl(value)
}

/** Returns the URL without credentials, because messages contain the URL, and the SDK ignores the credentials. */
export const parseEndpoint = (value: string): string => withoutPasswords(parseUrl(value))

export const addUrl = (value: string, urls: string[] = []): string[] => [...urls, parseUrl(value)]

/**
 * The Serverless Framework accepts only stage names of this form, and would report any other name once for each
 * resource.
 */
export function parseStage(value: string): string {
  if (/^[\da-z-]+$/i.test(value)) return value
  throw new InvalidArgumentError('A stage must consist of letters, digits and hyphens.')
}

/** Refuses a second, different address, because it would silently replace the first. */
export function parseAddress(value: string, given?: string): string {
  const address = value.toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(address))
    throw new InvalidArgumentError('An address must be 0x and 40 hex digits.')
  if (given !== undefined && given !== address) throw new InvalidArgumentError('Only one address is allowed.')
  return address
}

/** Drops a repeated value, because a resumed copy or audit would otherwise seem to have different options. */
const addOnce = <Value>(value: Value, given: Value[] = []): Value[] =>
  given.includes(value) ? given : [...given, value]

export const addAddress = (value: string, addresses?: string[]): string[] =>
  addOnce(parseAddress(value), addresses)

export const wholeNumber = (form: RegExp, extent: string) => (value: string) => {
  if (form.test(value)) return Number(value)
  throw new InvalidArgumentError(`It must be a whole number of ${extent}.`)
}

export const parseBlock = wholeNumber(/^\d{1,12}$/, 'up to 12 digits')
export const parseCount = wholeNumber(/^[1-9]\d{0,8}$/, 'at least 1, with up to 9 digits')
export const parseChainId = wholeNumber(/^[1-9]\d{0,14}$/, 'at least 1, with up to 15 digits')

const FROM_TIME = instant('first')

/** Accepts the formats of `fromTime`. Returns Unix seconds, rounded up. */
export function parseTime(value: string): number {
  const { data, error } = FROM_TIME.safeParse(value)
  if (data) return firstSecondFrom(data)
  throw new InvalidArgumentError(`It ${error?.issues[0]?.message}.`)
}

const parseBlocks = wholeNumber(/^\d{1,12}$/, 'blocks, or "finalized"')

export const parseConfirmations = (value: string): Confirmations =>
  value === 'finalized' ? value : parseBlocks(value)

/** The shortest lease, because a request takes at most 5 seconds, and a lease must last at least twice as long. */
export const MIN_LEASE_SECONDS = 10
/** The longest lease, which is limited because, after a crash, the next indexer waits until the lease expires. */
export const MAX_LEASE_SECONDS = 3600

export function parseLease(value: string): number {
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (seconds >= MIN_LEASE_SECONDS && seconds <= MAX_LEASE_SECONDS) return seconds
  throw new InvalidArgumentError(
    `It must be a whole number of seconds from ${MIN_LEASE_SECONDS} to ${MAX_LEASE_SECONDS}.`,
  )
}

/** Parses one value of an option that may be repeated and accepts only these values. */
export function addOneOf<Value extends string>(values: readonly Value[]) {
  return (value: string, given?: Value[]): Value[] => {
    const found = values.find(each => each === value)
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${values.join(', ')}.`)
    return addOnce(found, given)
  }
}
