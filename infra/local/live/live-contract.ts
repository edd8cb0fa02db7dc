/** The contract of the live chain. The first contract of anvil's first account always has this address. */
export const LIVE_CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
