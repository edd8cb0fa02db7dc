/** `npm run verify`: checks that a table is consistent. */
import { Option } from 'commander'
import { verifyTable } from '../../lib/ingest/verify/verify-table.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doTableReading, openTable, type TableOptions, withTableOptions } from '../../lib/kit/open-table.ts'
import { counted } from '../../lib/kit/printable.ts'

const MAX_SHOWN = 100

const command = createCommand('verify', { required: ['table'] })
await withTableOptions(command, new Option('--table <name>', 'the table to check'))
  .description(
    'Checks that every event of a table is in all lists to which it belongs, such as those of its users, and in no others, and that keys, sizes, chunks and invariants are correct. Reads the whole table, so it may report problems with events that are written in the meantime.',
  )
  .action(verify)
  .parseAsync()

async function verify(options: TableOptions) {
  let shown = 0
  await doTableReading(options, async () => {
    const { events, items, problems } = await verifyTable({
      ...(await openTable(options)),
      onProblem: ({ list, place, message }) => {
        shown += 1
        if (shown <= MAX_SHOWN) console.error(`${list} / ${place}: ${message}`)
      },
      onProgress: ({ step, rows }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r  ${rows} ${step} read `)
      },
    })
    if (process.stderr.isTTY) process.stderr.write('\r')
    if (problems > MAX_SHOWN) console.error(`… and ${counted(problems - MAX_SHOWN, 'more problem')}`)
    console.log(
      `${counted(events, 'event')} in ${counted(items, 'item')}: ${problems === 0 ? 'all is well' : counted(problems, 'problem')}`,
    )
    process.exitCode = problems === 0 ? 0 : 1
  })
}
