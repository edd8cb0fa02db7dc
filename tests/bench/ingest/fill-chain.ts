import { type Address, encodeFunctionData, getContractAddress } from 'viem'
import { compileContract } from '../../../infra/recording/compile-contract.ts'
import { type Anvil, startAnvil } from '../../../infra/recording/start-anvil.ts'

/** Transactions, each with two events: TransferSingle and Minted. */
const MINTS_PER_BLOCK = 100
/** Empty blocks after each block with events, because most contracts are inactive most of the time. */
const QUIET_BLOCKS = 9
/** In blocks. */
const FINAL_DEPTH = 64
const GAS = '0x30d40'

/** The chain has at least this many events, all in final blocks. */
export async function fillChain(events: number): Promise<Anvil & { blocks: number; contract: Address }> {
  const { abi, bytecode } = compileContract('Collectibles')
  const anvil = await startAnvil([
    ...['--no-mining', '--order', 'fifo', '--block-base-fee-per-gas', '0', '--gas-limit', '1000000000'],
  ])
  const call = (calls: Call[]) => callNode(anvil.rpcUrl, calls)
  const [users] = (await call([{ method: 'eth_accounts', params: [] }])) as [Address[]]
  const [minter, ...owners] = users
  if (!minter) throw new Error('The node has no accounts')
  const send = (data: string, to?: Address) => ({
    method: 'eth_sendTransaction',
    params: [{ from: minter, ...(to && { to }), data, gas: to ? GAS : '0x989680', gasPrice: '0x0' }],
  })
  await call([send(bytecode), { method: 'anvil_mine', params: ['0x1'] }])
  const contract = getContractAddress({ from: minter, nonce: 0n })
  let blocks = 1
  for (let made = 0; made < events; made += MINTS_PER_BLOCK * 2) {
    const mints = Array.from({ length: MINTS_PER_BLOCK }, (_, index) => {
      const args = [owners[index % owners.length], BigInt(made + index), 1n, `bucket ${made + index}`]
      return send(encodeFunctionData({ abi, functionName: 'mint', args }), contract)
    })
    await call(mints)
    await call([{ method: 'anvil_mine', params: [`0x${(1 + QUIET_BLOCKS).toString(16)}`] }])
    blocks += 1 + QUIET_BLOCKS
  }
  await call([{ method: 'anvil_mine', params: [`0x${FINAL_DEPTH.toString(16)}`] }])
  return { ...anvil, blocks: blocks + FINAL_DEPTH, contract }
}

interface Call {
  method: string
  params: unknown[]
}

/** Returns the results in the order of the calls. Throws the first error. */
async function callNode(rpcUrl: string, calls: Call[]): Promise<unknown[]> {
  const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const replies = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  const failed = replies.find(({ error }) => error)
  if (failed) throw new Error(failed.error?.message)
  return replies.sort((a, b) => a.id - b.id).map(({ result }) => result)
}
