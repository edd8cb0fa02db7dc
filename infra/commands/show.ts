/** `npm run show`: prints the items of a list as records, each with its cost. */
import { InvalidArgumentError, Option } from 'commander'
import { readListName } from '../../lib/inspect/read-list-name.ts'
import { type ShownItem, showItems } from '../../lib/inspect/show-items.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doTableReading, openTable, type TableOptions, withTableOptions } from '../../lib/kit/open-table.ts'
import { counted, printable } from '../../lib/kit/printable.ts'

const READ_UNIT_BYTES = 4096
/**
 * The maximum number of items to print. A limit is necessary, because one DynamoDB response may contain thousands of
 * items.
 */
const MAX_ITEMS = 1000

const HELP = `
A list contains, for example, all events of one user. Name the list as npm run explain prints it, or as it appears in
the table's keys, in logs and in the output of npm run verify. A place is the sort key of an item, and you need to give
only its first characters.

Examples:
  npm run show -- user#0x1e00…3c71 --table events --endpoint http://127.0.0.1:8000
  npm run show -- token#0x6541…f36a#TransferSingle@base 001713978341 --table events`

const command = createCommand('show', { required: ['table'] })
await withTableOptions(command, new Option('--table <name>', 'the table to read'))
  .description('Prints the items of a list as records, the latest first, each with its size and cost.')
  .argument(
    '<list>',
    'user#0x…, user#0x…#<role>, token#0x…#<kind>, token#0x…#<token id>, all#<kind>@<network>, block#1, transaction#0x…',
  )
  .argument('[place]', 'only the items whose place begins with this string')
  .option('--limit <number>', 'the maximum number of items to print', parseLimit, 10)
  .addHelpText('after', HELP)
  .action(show)
  .parseAsync()

async function show(name: string, place = '', { limit, ...options }: TableOptions & { limit: number }) {
  await doTableReading(options, async () => {
    const { list, network } = readListName(name)
    const items = await showItems(await openTable(options), { list, network, place, limit })
    for (const item of items) console.log(printable(textOf(item)))
    console.log(
      items.length === 0
        ? `${name} has no item${place && ` whose place begins with ${place}`}`
        : `${counted(items.length, 'item')}${totalOf(items)}`,
    )
    if (items.some(({ problem }) => problem !== undefined)) process.exitCode = 1
  })
}

function textOf({ place, bytes, writeUnits, record, elsewhere: field, problem }: ShownItem): string {
  const whereabouts = field
    ? `, with its ids or text in ${field.isInAll ? 'the list of all events' : counted(field.chunks, 'chunk')}`
    : ''
  const head = `${place}  ${counted(bytes, 'byte')}${whereabouts}, ${counted(writeUnits, 'write unit')}`
  return `${head}\n${problem === undefined ? JSON.stringify(record, null, 2) : `DAMAGED: ${problem}`}\n`
}

function totalOf(items: readonly ShownItem[]): string {
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  return `, ${counted(bytes, 'byte')}: ${counted(Math.ceil(bytes / READ_UNIT_BYTES) / 2, 'read unit')}`
}

function parseLimit(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_ITEMS) return Number(value)
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_ITEMS}.`)
}
