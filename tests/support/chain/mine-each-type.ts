import { type Hex, sha256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import type { TestChain } from './chain.ts'

/** The key of every development node's first account. */
const FIRST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const CHAIN_ID = 31_337
const GAS = 5_000_000
/** The point at infinity, which is both the commitment and the proof of a blob of zeros. */
const INFINITY: Hex = `0xc0${'00'.repeat(47)}`
const BLOB: Hex = `0x${'00'.repeat(131_072)}`

/** Mines one transaction of each type (0 to 4). All transactions make the same call to the chain's first contract. */
export async function mineEachType(chain: TestChain, data: Hex): Promise<void> {
  const account = privateKeyToAccount(FIRST_KEY)
  // Sends without retries and without a time limit, because the node would reject a repeated blob.
  const node = connectNode(chain.rpcUrl, { retryCount: 0 })
  const { signal } = new AbortController()
  const first = Number(await chain.request('eth_getTransactionCount', [account.address, 'latest']))
  const call = { to: chain.contracts[0], data, gas: BigInt(GAS), chainId: CHAIN_ID }
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const authorization = await account.signAuthorization({
    address: account.address,
    chainId: CHAIN_ID,
    nonce: first + 5,
  })
  const blobs = {
    maxFeePerBlobGas: 1_000_000_000n,
    blobVersionedHashes: [`0x01${sha256(INFINITY).slice(4)}`],
    sidecars: [{ blob: BLOB, commitment: INFINITY, proof: INFINITY }],
  }
  const transactions = [
    { type: 'legacy', gasPrice: 0n },
    { type: 'eip2930', gasPrice: 0n },
    { type: 'eip1559', ...fees },
    { type: 'eip4844', ...fees, ...blobs },
    { type: 'eip7702', ...fees, authorizationList: [authorization] },
  ]
  for (const [index, transaction] of transactions.entries()) {
    const signed = await account.signTransaction({ ...call, ...transaction, nonce: first + index } as never)
    await node.request('eth_sendRawTransaction', [signed], signal)
  }
  await chain.mineEmpty(1)
}
