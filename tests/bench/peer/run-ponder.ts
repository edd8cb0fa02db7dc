/** The process that `startPonder` starts. It runs Ponder's own command line, and ends when its parent process ends. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const PONDER = path.join(import.meta.dirname, 'ponder', 'node_modules', 'ponder', 'dist/esm/bin/ponder.js')

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
await import(pathToFileURL(PONDER).href)
