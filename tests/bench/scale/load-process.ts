/** The process that `openHistory` starts. It loads events of the history into an engine's files. */
import { argv, exit } from 'node:process'
import { SingleBar } from 'cli-progress'
import { generateHistory } from './generate-history.ts'
import { type BulkLoad, loadInBulk } from './load-in-bulk.ts'

const { events, ...load } = JSON.parse(argv[2] ?? '') as BulkLoad & { events: number }

process.once('disconnect', () => exit(1))
const bar = new SingleBar({ format: 'loading {bar} {value}/{total} events, {eta_formatted} left' })
bar.start(events, 0)
const loaded = await loadInBulk(
  { ...load, onStored: soFar => bar.update(soFar.events) },
  generateHistory(events),
)
bar.stop()
process.send?.(loaded, () => exit(0))
