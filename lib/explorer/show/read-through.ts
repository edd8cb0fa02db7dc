import type { Network } from '../../client/records.ts'

/** How far a network is known. */
export interface Through {
  network: Network
  blockNumber: string
  timestamp: string
}

const ENTRY = /^([\w-]+)=(\d+)@(\S+)$/

/** Reads `X-Indexed-Through`: `base=34160634@2025-08-13T10:20:15Z, polygon=…`. */
export const readThrough = (header = ''): Through[] =>
  header.split(', ').flatMap(entry => {
    const [, network, blockNumber, timestamp] = ENTRY.exec(entry) ?? []
    return network && blockNumber && timestamp
      ? [{ network: network as Network, blockNumber, timestamp }]
      : []
  })
