import { createTestClient, http, publicActions, walletActions } from 'viem'

/** Gas for any call of a Collectibles contract, so that the node does not have to estimate it. */
export const GAS = 20_000_000n

/** Returns a client that can use the node's accounts, make its blocks, and read its chain. */
export const nodeClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)

export type NodeClient = ReturnType<typeof nodeClient>
