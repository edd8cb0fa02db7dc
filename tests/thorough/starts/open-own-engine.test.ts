import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { TABLE_NAME } from '../../../infra/local/database/database.ts'
import { compareFingerprints, fingerprint } from '../../../infra/local/database/fingerprint.ts'
import { fastFolder, openOwnEngine } from '../../../infra/local/database/open-own-engine.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import type { Part } from '../../../infra/local/processes/running-parts.ts'
import type { LogOptions } from '../../../lib/ingest/load/log-options.ts'
import { LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useFolder } from '../../support/runner/use-folder.ts'
import { engineName } from '../../support/store/engine-name.ts'
import { localClient } from '../../support/store/local-client.ts'
import { createPlainTable } from '../../support/store/plain-table.ts'

const folder = useFolder()

const filesOf = (...texts: string[]) =>
  texts.map((text, index) => {
    const file = path.join(folder, `${index}-${text}`)
    writeFileSync(file, text)
    return file
  }) as [string, string, string]

test('keeps what the same files were when another version stored them, also where they are named', async () => {
  const { open } = setup()
  await open({ holding: 'a version-1', adding: 'b' })

  const again = await open({ holding: 'a version-2', named: true })

  expect(again).toEqual({ filled: false, items: ['a version-1', 'b'] })
})

test('files are told apart by what they hold and by their order, not by their names', async () => {
  const [a, same, b] = filesOf('a', 'a', 'b')

  expect(compareFingerprints(await fingerprint([a, b]), await fingerprint([same, b]))).toBe('same')
  expect(compareFingerprints(await fingerprint([a, b]), await fingerprint([b, a]))).toBe('other events')
})

test('events whose times come from elsewhere are other events', async () => {
  const [logs, blocks, corrected] = filesOf('logs', 'blocks', 'corrected')
  const compare = async (kept: LogOptions, wanted: LogOptions) =>
    compareFingerprints(await fingerprint([logs], kept), await fingerprint([logs], wanted))
  const one: LogOptions = { network: 'base', rpc: ['https://one.example/key'] }

  expect(await compare({}, { blocks })).toBe('other events')
  expect(await compare({ blocks }, { blocks: corrected })).toBe('other events')
  expect(await compare({ network: 'base' }, one)).toBe('other events')
  expect(await compare(one, { ...one, rpc: ['https://two.example'] })).toBe('same')
  expect(await compare(one, { ...one, chainId: 84_532 })).toBe('other events')
  expect(await fingerprint([logs], one)).not.toContain('key')
})

test('refuses what is damaged with the reason and the remedy, and replaces it only when told to', async () => {
  const { open, tables } = setup()
  await open({ holding: 'a' })
  for (const file of readdirSync(tables)) writeFileSync(path.join(tables, file), 'damaged')
  const refusal = new RegExp(`^Can't use the data in ${tables}: .+; use --fresh to replace the data$`)

  await expect(open({ holding: 'a' })).rejects.toThrow(refusal)
  await expect(open({ holding: 'a' })).rejects.toThrow(refusal)
  expect(await open({ holding: 'a', fresh: true })).toEqual({ filled: true, items: ['a'] })
})

test('refuses a table that an earlier version keeps there, and replaces it only when told to', async () => {
  const { open, tables, note } = setup()
  const engine = await startEngine({ engine: engineName(), dataDir: tables })
  const client = localClient(engine.endpoint)
  await createPlainTable({ client, tableName: TABLE_NAME }, [makeEvent('Minted')])
  client.destroy()
  await engine.stop()
  writeFileSync(note, 'a earlier')
  const refusal = new RegExp(
    `^Can't use the data in ${tables}: The table events has other keys or indexes, because another version or another program created it: .+; use --fresh to replace the data$`,
  )

  await expect(open({ holding: 'a' })).rejects.toThrow(refusal)
  await expect(open({ holding: 'a', named: true })).rejects.toThrow(refusal)
  expect(await open({ holding: 'a', fresh: true })).toEqual({ filled: true, items: ['a'] })
})

test('keeps its hands off tables when it cannot read whether they are complete', async () => {
  const { open, note } = setup()
  await open({ holding: 'a' })
  rmSync(note)
  mkdirSync(note)
  await expect(open({ holding: 'b' })).rejects.toThrow(`Can't read ${note}: `)
  rmdirSync(note)
  writeFileSync(note, 'a')

  expect(await open({ holding: 'a' })).toEqual({ filled: false, items: ['a'] })
})

test('leaves nothing in memory that was kept there while filling', async () => {
  const { open, dataDir } = setup()
  await open({ holding: 'a' })

  expect(existsSync((await fastFolder({ dataDir, bytes: 0 })) ?? dataDir)).toBe(false)
})

interface Opening {
  holding: string
  /** Stored after the engine's start, as `npm run load` stores events. */
  adding?: string
  named?: boolean
  fresh?: boolean
}

/** `open` starts an engine with the new data folder, returns the content of its table, and stops it. */
function setup() {
  const dataDir = mkdtempSync(path.join(folder, 'engine-'))
  const open = async (opening: Opening) => {
    const { holding, adding, named = false, fresh = false } = opening
    const parts = new Set<Part>()
    let filled = false
    try {
      await openOwnEngine({
        ...{ engine: engineName(), dataDir, fresh, bytes: 1000 },
        ...{ fingerprint: holding, eventsNamed: named },
        running: runningPartsIn(parts),
        fill: async client => {
          filled = true
          await put(client, holding)
        },
      })
      const client = new DynamoDBClient()
      if (adding) await put(client, adding)
      return { filled, items: await itemsIn(client) }
    } finally {
      for (const part of parts) await part.stop()
    }
  }
  const kept = (what: string) => path.join(dataDir, `${engineName()}-${what}`)
  return { open, dataDir, tables: kept('tables'), note: kept('loaded') }
}

const runningPartsIn = (parts: Set<Part>) => ({
  signal: new AbortController().signal,
  add: (part: Part) => void parts.add(part),
  remove: (part: Part) => void parts.delete(part),
  whenStopped: () => undefined,
  fail: async (reason: string) => expect(reason).toBe('never called'),
})

const put = (client: DynamoDBClient, name: string) =>
  client.send(
    new PutItemCommand({ TableName: TABLE_NAME, Item: { [LIST_KEY]: { S: name }, [PLACE_KEY]: { S: '1' } } }),
  )

async function itemsIn(client: DynamoDBClient) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE_NAME }))
  return Items.map(item => item[LIST_KEY]?.S).sort()
}
