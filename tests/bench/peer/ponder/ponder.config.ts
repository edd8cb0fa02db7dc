import { createConfig } from 'ponder'
import { type Address, parseAbi } from 'viem'

const { RPC_URL, CONTRACTS = '', DATABASE_URL, DATABASE_FOLDER = '' } = process.env

export default createConfig({
  database: DATABASE_URL
    ? { kind: 'postgres', connectionString: DATABASE_URL }
    : { kind: 'pglite', directory: DATABASE_FOLDER },
  chains: { polygon: { id: 31337, rpc: RPC_URL } },
  contracts: {
    Collectibles: {
      chain: 'polygon',
      abi: parseAbi([
        'event Minted(address indexed creator, address indexed initialOwner, string bucketHash, uint256 tokenId, uint256 quantity)',
        'event MintedBatch(address indexed token, address indexed owner, uint256[] tokenIds, uint256[] quantities)',
        'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 tokenId, uint256 quantity)',
        'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] tokenIds, uint256[] quantities)',
        'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
      ]),
      address: CONTRACTS.split(',') as Address[],
      startBlock: 0,
    },
  },
})
