import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A block of a real chain and all its receipts, as JSON-RPC returns them. */
export interface RealBlock {
  network: string
  chainId: number
  number: number
  header: Record<string, unknown> & { hash: string; receiptsRoot: string; transactions?: string[] }
  receipts: Record<string, unknown>[]
}

/** The folder of real blocks, one file of gzipped JSON for each block. The repository contains no real blocks. */
const FOLDER = process.env.EVENTS_TEST_RECEIPTS

/**
 * The names of the files of real blocks. Empty if the environment names no folder. Throws if the folder does not exist.
 */
export function realBlockFiles(): string[] {
  if (!FOLDER) return []
  if (!existsSync(FOLDER)) throw new Error(`EVENTS_TEST_RECEIPTS is ${FOLDER}, which does not exist`)
  return readdirSync(FOLDER).filter(name => name.endsWith('.json.gz'))
}

/** Reads the block in a file. */
export function readRealBlock(name: string): RealBlock {
  return JSON.parse(gunzipSync(readFileSync(path.join(FOLDER ?? '', name))).toString())
}
