/** The process that `startAnvil` starts: runs anvil until whoever started it is gone. */
import { createRequire } from 'node:module'

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await import(createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs'))
