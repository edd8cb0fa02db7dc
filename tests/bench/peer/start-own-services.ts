import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { pointSdkAt, TABLE_NAME } from '../../../infra/local/database/database.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { serveApi } from '../../../infra/local/gateway/serve-api.ts'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { startReplay } from '../recorded/start-replay.ts'
import type { PeerChain } from './fill-peer-chain.ts'

const SERVE_FUNCTIONS = fileURLToPath(new URL('./serve-functions.ts', import.meta.url))
export const PEER_NETWORK: Network = 'polygon'

export type OwnServices = Awaited<ReturnType<typeof startOwnServices>>

/** Returns the part, and stops it when the benchmark ends. */
export type Add = <T extends { stop(): Promise<void> }>(part: T) => T

interface OwnOptions {
  folder: string
  network?: Network
  add: Add
}

/** Starts the three services that answer from a new engine, which keeps its data on disk as with `npm start`. */
export async function startOwnServices(chain: PeerChain, { folder, network, add }: OwnOptions) {
  const networks = network && [network]
  const dataDir = path.join(folder, `dynalite-${network ?? 'all'}`)
  const engine = add(await startEngine({ engine: 'dynalite', dataDir }))
  pointSdkAt(engine.endpoint, { named: false })
  const startedAt = performance.now()
  const events = await index(chain, networks)
  const seconds = (performance.now() - startedAt) / 1000
  const logFile = path.join(folder, `api-${network ?? 'all'}.log`)
  const api = add(await serveApi({ port: await freePort(), logFile, networks }))
  const functions = add(await startFunctions(engine.endpoint, networks))
  const replay = add(await startReplay(engine.endpoint))
  const replayed = add(await startFunctions(replay.endpoint, networks))
  const of = network ? ', one network' : ', five networks'
  return {
    /** Gateway, functions and engine, as started by `npm start`. */
    whole: { name: `\`npm start\`${of}`, baseUrl: api.baseUrl },
    /** The functions over plain HTTP, with the engine. */
    functions: { name: `functions${of}`, baseUrl: functions.baseUrl },
    /** The functions over plain HTTP, with replayed answers of the engine. */
    replayed: { name: `functions, replayed responses${of}`, baseUrl: replayed.baseUrl },
    events,
    seconds,
  }
}

async function index({ rpcUrl, contracts }: PeerChain, networks: Network[] | undefined): Promise<number> {
  const client = new DynamoDBClient()
  await createTable({ client, tableName: TABLE_NAME })
  client.destroy()
  const { events } = await indexNetwork({
    network: PEER_NETWORK,
    networks,
    nodes: groupNodes([connectNode(rpcUrl)]),
    createClient: async () => new DynamoDBClient(),
    tableName: TABLE_NAME,
    contracts: [...contracts],
    signal: new AbortController().signal,
  })
  return events
}

/** Serves the functions over plain HTTP in a new process. By default, their table has all networks. */
async function startFunctions(endpoint: string, networks: readonly Network[] | undefined) {
  const { message, stop } = forkPart(SERVE_FUNCTIONS, [], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      EVENTS_TABLE: TABLE_NAME,
      EVENTS_NETWORKS: networks?.join(',') ?? 'all',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { baseUrl } = await message<{ baseUrl: string }>()
  return { baseUrl, stop }
}
