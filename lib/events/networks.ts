/** The chains that are served. The order is alphabetical, which is the order `network` sorts in. */
export const NETWORKS = ['arbitrum', 'base', 'bnb-chain', 'ethereum', 'polygon'] as const

export type Network = (typeof NETWORKS)[number]
