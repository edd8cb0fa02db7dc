/** `npm run bench:networks` computes what a table with only one network saves, per kind of event and per month. */
import { measureItems, type StoredForm } from './measure-items.ts'

/** List prices in us-east-1, in US dollars. */
const PRICES = { writeUnit: 0.625e-6, storedByte: 0.25 / 2 ** 30, recoveryByte: 0.2 / 2 ** 30 }
/** The same examples as in infra/costs.md, "What a month costs". */
const EXAMPLES = [
  { name: 'small', newEvents: 100_000, storedEvents: 1_000_000 },
  { name: 'medium', newEvents: 10_000_000, storedEvents: 100_000_000 },
]

const { items } = await measureItems()
for (const { kind, packed, single } of items) {
  console.log(`${kind}: all networks ${sizesOf(packed)}; one network ${sizesOf(single)}`)
}
const transfer = items.find(({ kind }) => kind === 'TransferSingle')
if (!transfer) throw new Error('The bundled logs have no TransferSingle')
for (const example of EXAMPLES) {
  const [before, after] = [monthOf(transfer.packed, example), monthOf(transfer.single, example)]
  const saved = before.together - after.together
  console.log(
    `${example.name}: ${monthText(before)}; one network: ${monthText(after)}; saves $${saved.toFixed(1)}`,
  )
}

function sizesOf({ writeUnits, storage, tableBytes }: StoredForm): string {
  return `${writeUnits.toFixed(1)} write units, ${Math.round(storage)} bytes, ${Math.round(tableBytes)} of them in the table`
}

function monthOf(form: StoredForm, { newEvents, storedEvents }: (typeof EXAMPLES)[number]) {
  const writes = newEvents * form.writeUnits * PRICES.writeUnit
  const storage = storedEvents * form.storage * PRICES.storedByte
  const recovery = storedEvents * form.tableBytes * PRICES.recoveryByte
  return { writes, storage, recovery, together: writes + storage + recovery }
}

function monthText({ writes, storage, recovery }: ReturnType<typeof monthOf>): string {
  return `writes $${writes.toFixed(1)}, storage $${storage.toFixed(1)}, recovery $${recovery.toFixed(1)}`
}
