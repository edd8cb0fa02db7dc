/** `npm run verify`: checks that a table is consistent. */
import { verifyTable } from '../../lib/ingest/verify/verify-table.ts'
import { checkTableToRead } from '../../lib/kit/check-table.ts'
import { commandClient } from '../../lib/kit/command-client.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { explainFailure } from '../../lib/kit/explain-failure.ts'
import { networksOption, type WantedNetworks } from '../../lib/kit/networks-option.ts'
import { parseUrl } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'

interface VerifyCommandOptions {
  table: string
  networks?: WantedNetworks
  endpoint?: string
  region?: string
}

/** The maximum number of printed problems. A last line has the number of the other problems. */
const MAX_SHOWN = 100

await createCommand('verify', { required: ['table'] })
  .description(
    'Checks that a table has every event in exactly its lists, and checks keys, sizes, chunks and invariants. Reads the whole table, so events that are written meanwhile may be reported.',
  )
  .option('--table <name>', 'the table to check')
  .option('--endpoint <url>', 'address of another DynamoDB than that of the region', parseUrl)
  .option('--region <name>', 'AWS region (default: that of the AWS tools)')
  .addOption(networksOption())
  .action(verify)
  .parseAsync()

async function verify({ table: tableName, ...options }: VerifyCommandOptions) {
  let shown = 0
  try {
    const client = await commandClient(options)
    const networks = await checkTableToRead(client, tableName, options)
    const { events, items, problems } = await verifyTable({
      client,
      tableName,
      networks,
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
  } catch (error) {
    console.error(explainFailure(error, { ...options, tableName }))
    process.exitCode = 1
  }
}
