/** The sender of minted tokens and the receiver of burned tokens (ERC-1155, "Safe Transfer Rules"). */
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
