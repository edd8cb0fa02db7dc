/** The networks of the service; `npm run openapi` writes this file. */
export type Network = 'arbitrum' | 'base' | 'bnb-chain' | 'ethereum' | 'polygon'
