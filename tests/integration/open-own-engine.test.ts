import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { TABLE_NAME } from '../../infra/local/database.ts'
import { fastFolder } from '../../infra/local/fast-folder.ts'
import { openOwnEngine } from '../../infra/local/open-own-engine.ts'
import type { Part } from '../../infra/local/running-parts.ts'
import { engineName } from '../support/engine.ts'

/** Up to five engines start one after the other, and Java takes its time. */
const TIMEOUT_MS = 90_000

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test(
  'fills the table once, and finds it filled the next time',
  async () => {
    const { open } = setup()

    expect(await open({ holding: 'a' })).toEqual({ filled: true, items: ['a'] })
    expect(await open({ holding: 'a' })).toEqual({ filled: false, items: ['a'] })
  },
  TIMEOUT_MS,
)

test(
  'holds only what is wanted now, whatever was kept',
  async () => {
    const { open } = setup()
    await open({ holding: 'a' })

    expect(await open({ holding: 'b' })).toEqual({ filled: true, items: ['b'] })
    expect(await open({ holding: 'b', fresh: true })).toEqual({ filled: true, items: ['b'] })
  },
  TIMEOUT_MS,
)

test(
  'starts over when filling did not come to its end',
  async () => {
    const { open } = setup()
    await expect(open({ holding: 'a', failing: true })).rejects.toThrow('The disk is full')

    expect(await open({ holding: 'b' })).toEqual({ filled: true, items: ['b'] })
  },
  TIMEOUT_MS,
)

test(
  'fills the table again when what was kept is damaged',
  async () => {
    const { open, tables } = setup()
    await open({ holding: 'a' })
    for (const file of readdirSync(tables)) writeFileSync(path.join(tables, file), 'damaged')

    expect(await open({ holding: 'a' })).toEqual({ filled: true, items: ['a'] })
  },
  TIMEOUT_MS,
)

test(
  'leaves nothing in memory that was kept there while filling',
  async () => {
    const { open, dataDir } = setup()
    await open({ holding: 'a' })

    expect(existsSync((await fastFolder({ dataDir, bytes: 0 })) ?? dataDir)).toBe(false)
  },
  TIMEOUT_MS,
)

interface Opening {
  holding: string
  fresh?: boolean
  failing?: boolean
}

/** A data folder, and what one start after the other finds in it; each start ends what it began. */
function setup() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'own-engine-'))
  folders.push(dataDir)
  const open = async ({ holding, fresh = false, failing = false }: Opening) => {
    const parts = new Set<Part>()
    let filled = false
    try {
      await openOwnEngine({
        ...{ engine: engineName(), dataDir, fresh, fingerprint: holding, bytes: 1000 },
        running: runningPartsIn(parts),
        fill: async client => {
          filled = true
          await put(client, holding)
          if (failing) throw new Error('The disk is full')
        },
      })
      return { filled, items: await itemsIn(new DynamoDBClient()) }
    } finally {
      for (const part of parts) await part.stop()
    }
  }
  return { open, dataDir, tables: path.join(dataDir, `${engineName()}-tables`) }
}

const runningPartsIn = (parts: Set<Part>) => ({
  signal: new AbortController().signal,
  add: (part: Part) => void parts.add(part),
  remove: (part: Part) => void parts.delete(part),
  whenStopped: () => undefined,
  fail: async (reason: string) => expect(reason).toBe('never called'),
})

const put = (client: DynamoDBClient, name: string) =>
  client.send(new PutItemCommand({ TableName: TABLE_NAME, Item: { list: { S: name }, place: { S: '1' } } }))

async function itemsIn(client: DynamoDBClient) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE_NAME }))
  return Items.map(item => item.list?.S)
}
