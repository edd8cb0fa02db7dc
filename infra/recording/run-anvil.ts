/** The process that `startAnvil` starts. Runs anvil until the parent process ends. */
import { createRequire } from 'node:module'

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await import(createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs'))
