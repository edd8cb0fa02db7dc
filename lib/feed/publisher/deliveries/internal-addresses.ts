import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface ReachOptions {
  /**
   * If true, requests to this machine are allowed, over HTTP as well as HTTPS. True for a publisher that is started by
   * hand.
   */
  allowLoopback: boolean
}

/** An internal address is, for example, a private, loopback or cloud metadata address. */
class InternalAddressError extends Error {
  override readonly name = 'InternalAddressError'
  readonly code = 'internal-address'

  constructor(address: string) {
    super(`its address is ${address}, which is not public`)
  }
}

/** Describes what is wrong with a webhook's URL, as the end of a sentence. Returns undefined for a valid URL. */
export function findWrongAddress(text: string, { allowLoopback }: ReachOptions): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an https address'
  if (url.username || url.password)
    return 'must not contain a user name or a password, because the signature identifies the sender'
  const host = hostOf(url)
  const isLocal = isLoopbackHost(host)
  if (url.protocol === 'http:' && !(allowLoopback && isLocal))
    return allowLoopback
      ? 'must be an https address; plain http is allowed only for loopback addresses'
      : 'must be an https address'
  const isRefused = isIP(host) ? !isReachable(host, { allowLoopback }) : isLocal && !allowLoopback
  return isRefused ? 'is an address of an internal network, but must be public' : undefined
}

/** The host name or IP address of a URL, without the brackets around IPv6 addresses. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const isLoopbackHost = (host: string) =>
  host === 'localhost' || (isIP(host) > 0 && ipaddr.parse(host).range() === 'loopback')

/** Throws `InternalAddressError` if the host is an internal IP address. `lookupReachable` checks host names. */
export function ensureReachable(host: string, options: ReachOptions): void {
  if (isIP(host) && !isReachable(host, options)) throw new InternalAddressError(host)
}

/**
 * Internal addresses that `ipaddr.js` classifies as public: IPv6 addresses that contain an IPv4 address in a deprecated
 * form (RFC 4291, 2.5.5.1), and the address at which an Azure virtual machine reaches its host
 * (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const ALSO_INTERNAL = { internal: ['::/96', '168.63.129.16/32'].map(range => ipaddr.parseCIDR(range)) }

/**
 * Whether requests to an address are allowed. The library classifies public addresses as `unicast`. Addresses that IANA
 * has reserved, and IPv6 addresses that contain an IPv4 address, have other classes.
 */
function isReachable(text: string, { allowLoopback }: ReachOptions): boolean {
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === 'loopback') return allowLoopback
  return range === 'unicast' && ipaddr.subnetMatch(address, ALSO_INTERNAL, 'public') === 'public'
}

/** Fails if a host name has an internal address. The socket uses this lookup, so a later DNS change has no effect. */
export const lookupReachable =
  (options: ReachOptions): LookupFunction =>
  (hostname, asked, callback) =>
    lookup(hostname, { ...asked, all: true }, (error, found) => {
      const addresses: LookupAddress[] = found ?? []
      const internal = addresses.find(({ address }) => !isReachable(address, options))
      const [first] = addresses
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '')
      if (internal) return callback(new InternalAddressError(internal.address), '')
      if (asked.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
