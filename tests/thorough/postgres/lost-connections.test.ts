import { connect, createServer, Socket } from 'node:net'
import { Client } from 'pg'
import { listenAt } from '../../../infra/local/processes/listen-at.ts'
import type { CopyDatabase, SqlTransaction } from '../../../lib/callers/copies/copy-database.ts'
import { CopyUnavailableError } from '../../../lib/callers/copies/copy-database.ts'
import { openCopy, openDatabase } from '../../../lib/callers/copies/open-copy.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'

const { jest } = import.meta
const newSchema = usePostgres()

let target: string
let database: CopyDatabase

beforeEach(async () => {
  target = await newSchema()
  database = openDatabase(target)
  await database.transaction(transaction => transaction.run('CREATE TABLE numbers (number INTEGER)'))
})
afterEach(() => database.close())

const insert = (transaction: SqlTransaction, number: number) =>
  transaction.run(`INSERT INTO numbers VALUES (${number})`)
const stored = async () =>
  (await database.read('SELECT number FROM numbers ORDER BY number')).map(({ number }) => Number(number))

/** Ends all sessions of other clients, as a stopping server does, and waits until they have ended. */
async function endSessions(): Promise<void> {
  const client = new Client(target.replace(/\?.*/, ''))
  await client.connect()
  const others = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  await client.query(`SELECT pg_terminate_backend(pid, 10000) ${others}`)
  expect((await client.query(`SELECT pid ${others}`)).rows).toEqual([])
  await client.end()
}

/** Each transaction would insert 1 and 2 if its connection were not lost. */
const LOSSES: Record<string, (transaction: SqlTransaction) => Promise<void>> = {
  'before its first statement': async transaction => {
    await endSessions()
    await insert(transaction, 1)
    await insert(transaction, 2)
  },
  'between two statements': async transaction => {
    await insert(transaction, 1)
    await endSessions()
    await insert(transaction, 2)
  },
  'during a statement': async transaction => {
    await insert(transaction, 1)
    const [asleep] = await Promise.allSettled([transaction.run('SELECT pg_sleep(60)'), endSessions()])
    expect(asleep.status).toBe('rejected')
    await insert(transaction, 2)
  },
  'before its end': async transaction => {
    await insert(transaction, 1)
    await insert(transaction, 2)
    await endSessions()
  },
  'and it ignores the error of a statement': async transaction => {
    await insert(transaction, 1)
    await endSessions()
    await insert(transaction, 2).catch(() => undefined)
    await insert(transaction, 2).catch(() => undefined)
  },
}

test.each(Object.entries(LOSSES))('a connection lost %s leaves nothing of a transaction', async (_, work) => {
  await expect(database.transaction(work)).rejects.toBeInstanceOf(CopyUnavailableError)
  await database.transaction(transaction => insert(transaction, 3))
  expect(await stored()).toEqual([3])
})

test('a database whose idle connection was lost is read over another connection', async () => {
  await database.transaction(transaction => insert(transaction, 1))
  await endSessions()
  await database.read('SELECT 1').catch(error => expect(error).toBeInstanceOf(CopyUnavailableError))
  expect(await stored()).toEqual([1])
})

/** A copy's URL can set how long the server waits for the next statement of a transaction. */
const impatient = () => openDatabase(`${target}&options=-c%20idle_in_transaction_session_timeout%3D100`)

test('a transaction whose process pauses for longer than the server waits can be repeated', async () => {
  const pausing = impatient()
  const paused = pausing.transaction(async transaction => {
    await insert(transaction, 1)
    // Blocks the process, so that it sends its next statement before it learns that the server has ended the transaction.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    await insert(transaction, 2)
  })
  await expect(paused).rejects.toBeInstanceOf(CopyUnavailableError)
  await pausing.close()
  expect(await stored()).toEqual([])
})

test('the server keeps the locks of a silently lost connection for a minute, unless the URL sets another time', async () => {
  const expectWait = (time: string) => (transaction: SqlTransaction) =>
    transaction.run(
      `DO $$ BEGIN ASSERT current_setting('idle_in_transaction_session_timeout') = '${time}'; END $$`,
    )
  await database.transaction(expectWait('1min'))
  const other = impatient()
  await other.transaction(expectWait('100ms'))
  await other.close()
})

/** A Mac reports these errors while it is offline, or if a server in its own network is switched off. */
test.each(['ENETDOWN', 'EHOSTDOWN'])('a database that cannot be reached is unavailable (%s)', async code => {
  const connecting = jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    return this.destroy(Object.assign(new Error(`connect ${code}`), { code }))
  })
  const unreached = openDatabase('postgres://nobody@127.0.0.1:1/events')
  await expect(unreached.read('SELECT 1')).rejects.toBeInstanceOf(CopyUnavailableError)
  connecting.mockRestore()
  await unreached.close()
})

test('a server that accepts a connection and never answers is unavailable after connect_timeout', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => sockets.push(socket))
  const port = await listenAt(silent, { port: 0, host: '127.0.0.1' })
  const unanswered = openDatabase(`postgres://nobody@127.0.0.1:${port}/events?connect_timeout=1`)
  await expect(unanswered.read('SELECT 1')).rejects.toBeInstanceOf(CopyUnavailableError)
  await unanswered.close()
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('a page whose commit outlives its connection is not taken for the page of another process', async () => {
  const { hostname, port } = new URL(target)
  let isCut = false
  const proxy = createServer(client => {
    const server = connect(Number(port), hostname)
    server.on('data', data => client.write(data)).on('error', () => client.destroy())
    client
      .on('data', data => {
        server.write(data)
        if (isCut && data.includes('COMMIT')) client.destroy()
      })
      .on('error', () => undefined)
  })
  const through = new URL(target)
  through.port = String(await listenAt(proxy, { port: 0, host: '127.0.0.1' }))
  const copy = await openCopy(through.href, { source: 'a service' })
  await database.transaction(async transaction => {
    await transaction.run(
      "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END'",
    )
    await transaction.run(`CREATE CONSTRAINT TRIGGER wait AFTER UPDATE ON feed
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`)
  })
  const page = { changes: [], isUpToDate: false }
  isCut = true
  const cut = copy.apply({ ...page, next: 'one' }, { after: undefined })
  await expect(cut).rejects.toBeInstanceOf(CopyUnavailableError)
  isCut = false
  const after = await copy.cursor()
  await copy.apply({ ...page, next: 'two' }, { after })

  expect([after, await copy.cursor()]).toEqual(['one', 'two'])
  await copy.close()
  proxy.close()
})
