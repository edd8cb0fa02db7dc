import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ruleOf } from '../../../../lib/chain/proof/chain-rules.ts'
import { doubtHeader } from '../../../../lib/chain/proof/hash-header.ts'
import { proveLogs } from '../../../../lib/chain/proof/prove-logs.ts'
import { CHAINS, NETWORKS } from '../../../../lib/events/networks.ts'
import { MAX_BLOCK_NUMBER } from '../../../../lib/events/place.ts'

interface RealBlock {
  chainId: number
  number: number
  header: Record<string, unknown> & { hash: string; receiptsRoot: string; transactions?: string[] }
  receipts: Record<string, unknown>[]
}

/** A folder with one gzipped JSON file per real block. The repository itself contains no real blocks. */
const { EVENTS_TEST_RECEIPTS: FOLDER } = process.env
const files = FOLDER ? readdirSync(FOLDER).filter(name => name.endsWith('.json.gz')) : []
const readRealBlock = (name: string): RealBlock =>
  JSON.parse(gunzipSync(readFileSync(path.join(FOLDER ?? '', name))).toString())

const provable = files.filter(name => !name.startsWith('unproven-'))
const unprovable = files.filter(name => name.startsWith('unproven-'))

/** The receipts root does not cover transaction hashes, so a missing hash is set to `0x`. */
function prove({ chainId, number, header, receipts }: RealBlock) {
  const known = ruleOf({ chainId, number })
  if ('reason' in known) return known
  const transactionHashes =
    header.transactions ?? receipts.map(receipt => String(receipt.transactionHash ?? '0x'))
  return proveLogs(receipts, { block: { ...header, number, transactionHashes }, rule: known.rule })
}

test.each(NETWORKS)('there is a rule for the newest blocks of %s', network => {
  const { chainId } = CHAINS[network]

  expect(ruleOf({ chainId, number: MAX_BLOCK_NUMBER })).toHaveProperty('rule')
})

describe(`real blocks${files.length > 0 ? '' : ': EVENTS_TEST_RECEIPTS names no folder, so none are proven'}`, () => {
  for (const name of provable) {
    test(`${name} is proven, with all of its logs`, () => {
      const block = readRealBlock(name)
      const proven = prove(block)

      expect(doubtHeader(block.header)).toBeUndefined()
      if ('reason' in proven) throw new Error(proven.reason)
      const told = block.receipts.flatMap(({ logs }) => logs as { address: string; data: string }[])
      expect([...proven.logs, ...proven.stateSyncLogs].map(({ address, data }) => [address, data])).toEqual(
        told.map(({ address, data }) => [address, data]),
      )
    })
  }

  for (const name of unprovable) {
    test(`${name} is not proven`, () => {
      const block = readRealBlock(name)
      // The header may be missing, because one of these files contains its block's receipts root without the header.
      const doubt = doubtHeader(block.header ?? {})

      expect(doubt !== undefined || 'reason' in prove(block)).toBe(true)
    })
  }
})
