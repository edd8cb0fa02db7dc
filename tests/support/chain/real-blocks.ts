import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface RealBlock {
  network: string
  chainId: number
  number: number
  header: Record<string, unknown> & { hash: string; receiptsRoot: string; transactions?: string[] }
  receipts: Record<string, unknown>[]
}

/** A folder with one gzipped JSON file per real block. The repository itself contains no real blocks. */
const FOLDER = process.env.EVENTS_TEST_RECEIPTS

export function realBlockFiles(): string[] {
  if (!FOLDER) return []
  if (!existsSync(FOLDER)) throw new Error(`EVENTS_TEST_RECEIPTS is ${FOLDER}, which does not exist`)
  return readdirSync(FOLDER).filter(name => name.endsWith('.json.gz'))
}

export function readRealBlock(name: string): RealBlock {
  return JSON.parse(gunzipSync(readFileSync(path.join(FOLDER ?? '', name))).toString())
}
