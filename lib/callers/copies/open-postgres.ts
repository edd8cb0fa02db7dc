import { Pool, type PoolClient, type PoolConfig } from 'pg'
import {
  type CopyDatabase,
  CopyUnavailableError,
  lacksTable,
  type ReadRow,
  type Row,
  type SqlTransaction,
} from './copy-database.ts'
import type { ColumnType, CopyTable } from './copy-tables.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'BIGINT',
  time: 'TIMESTAMPTZ',
  // JSON stores the text unchanged, whereas JSONB would reject the NUL characters that a `bucketHash` may contain.
  json: 'JSON',
  tokenId: 'NUMERIC(78)',
  quantity: 'NUMERIC(78)',
  // A contract may emit arbitrary quantities, so their sum may exceed a uint256.
  balance: 'NUMERIC',
}

/** Makes `pg` return every value as text. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

/** The Node.js error codes for a failed or lost connection. */
const BROKEN_CONNECTION =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EAI_AGAIN|ENOTFOUND)$/
/**
 * The SQLSTATEs of temporary failures, such as a lost connection, conflicting transactions, a timeout, a full disk, a
 * server that is starting or stopping, or a failover. See
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING_STATE = /^(08\w{3}|25006|25P0[34]|40001|40P01|53\w{3}|55P03|57014|57P0[1235]|58\w{3})$/
const UNDEFINED_TABLE = '42P01'
/** Matches the messages of `pg` about a lost connection, because these errors have no code. */
const LOST_CONNECTION = /^(Connection terminated|Client has encountered a connection error)/

/** How long to wait for a connection, in seconds, unless the URL has `connect_timeout`. */
const CONNECT_TIMEOUT_S = 30
/** The idle time before keep-alive probes start. Without probes, a silently lost connection would hang for hours. */
const KEEP_ALIVE_AFTER_MS = 60_000
/**
 * Ends the transaction of a silently lost connection after a minute, unless the server or the URL sets another time.
 * Without a limit, the server would hold the transaction's locks for hours, and the next connection would wait.
 */
const BEGIN = `BEGIN; SELECT set_config('idle_in_transaction_session_timeout', '1min', true)
  WHERE current_setting('idle_in_transaction_session_timeout', true) = '0'`

/** Opens a PostgreSQL database, connecting on first use. The copy's tables are in the connection's `search_path`. */
export function openPostgres(url: string): CopyDatabase {
  const name = withoutPassword(url)
  // Uses no named statements, because a connection pooler may run each transaction on a different connection.
  const pool = new Pool({
    ...connectionOf(url),
    types: AS_TEXT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  })
  // Without a listener, a lost connection would end the process instead of failing only its own statements.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))

  async function explained<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      if ((error as { code?: string }).code === UNDEFINED_TABLE) throw lacksTable(name)
      if (!isPassing(error as Error)) throw error
      throw new CopyUnavailableError({ database: name, cause: error as Error })
    }
  }

  return {
    name,
    transaction: work => explained(inTransaction(pool, work)),
    read: statement => explained(readAll(pool, statement)),
    close: () => pool.end(),
  }
}

async function inTransaction<Result>(
  pool: Pool,
  work: (transaction: SqlTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isCommitted = false
  try {
    await client.query(BEGIN)
    const result = await work(transactionOf(client))
    await client.query('COMMIT')
    isCommitted = true
    return result
  } finally {
    // Closes the connection after a failed transaction, so that the server rolls it back.
    client.release(!isCommitted)
  }
}

function isPassing({ code, message, syscall }: Error & { code?: string; syscall?: string }): boolean {
  if (code === undefined) return LOST_CONNECTION.test(message)
  // While a server is stopped, its Unix socket does not exist, so this error is temporary.
  if (code === 'ENOENT') return syscall === 'connect'
  return BROKEN_CONNECTION.test(code) || PASSING_STATE.test(code)
}

/**
 * The parameters that the README names have the same meanings as in libpq
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS), except `search_path`, which is our
 * addition.
 */
function connectionOf(text: string): PoolConfig {
  const url = new URL(text)
  const { searchParams } = url
  const path = searchParams.get('search_path')
  const options = [
    searchParams.get('options'),
    path && `-c search_path=${path.replace(/[\s\\]/g, '\\$&')}`,
  ].filter(Boolean)
  searchParams.delete('options')
  if (searchParams.has('sslmode')) searchParams.set('uselibpqcompat', 'true')
  const timeout = Number(searchParams.get('connect_timeout') ?? CONNECT_TIMEOUT_S)
  if (Number.isNaN(timeout)) throw new Error('connect_timeout must be a number of seconds')
  return {
    connectionString: url.href,
    connectionTimeoutMillis: Math.max(0, timeout) * 1000,
    ...(options.length > 0 && { options: options.join(' ') }),
  }
}

function transactionOf(client: PoolClient): SqlTransaction {
  return {
    async run(statement) {
      await client.query(statement)
    },
    async lockTables() {
      await client.query("SELECT pg_advisory_xact_lock(hashtext('events copy ' || current_schema()))")
      // A later schema in the `search_path` may contain another copy, whose tables must not be changed.
      await client.query("SELECT set_config('search_path', quote_ident(current_schema()), true)")
    },
    // Columns of type NUMERIC have always stored exact quantities, so there is nothing to correct.
    mendCopy: async () => undefined,
    async columnsOf(table) {
      const { rows } = await client.query(
        'SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
        [table],
      )
      return rows.map(({ attname }) => attname)
    },
    async create({ name, columns, key }) {
      const lines = Object.entries(columns).map(([column, type]) => `${column} ${TYPES[type]}`)
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}, PRIMARY KEY (${key.join(', ')}))`,
      )
    },
    async clear({ name }) {
      await client.query(`TRUNCATE ${name}`)
    },
    lock: ({ name }) => readAll(client, `SELECT * FROM ${name} FOR UPDATE`),
    async put(table, rows) {
      if (rows.length === 0) return
      const names = Object.keys(rows[0] ?? {})
      const others = names.filter(column => !table.key.includes(column))
      await client.query(
        `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM ${rowsGiven(table, names)}
        ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${others.map(each => `${each} = EXCLUDED.${each}`)}`,
        columnsOf(rows),
      )
    },
    async remove(table, keys) {
      if (keys.length === 0) return
      const { rows, condition } = matching(table, keys)
      await client.query(`DELETE FROM ${table.name} USING ${rows} WHERE ${condition}`, columnsOf(keys))
    },
    async find(table, keys) {
      if (keys.length === 0) return []
      const { rows, condition } = matching(table, keys)
      const statement = `SELECT ${table.name}.* FROM ${table.name} JOIN ${rows} ON ${condition}`
      return readAll(client, statement, columnsOf(keys))
    },
  }
}

async function readAll(client: Pool | PoolClient, statement: string, values: (string | null)[][] = []) {
  const { rows } = await client.query<Record<string, string | null>>(statement, values)
  return rows.map(
    (row): ReadRow =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])),
  )
}

/** Each column's values come from one array parameter, so that one statement covers many rows. */
function rowsGiven({ columns }: CopyTable, names: readonly string[]): string {
  const typed = names.map(name => `${name}::${TYPES[columns[name] ?? 'text']} AS ${name}`)
  const arrays = names.map((_, index) => `$${index + 1}::text[]`)
  return `(SELECT ${typed.join(', ')} FROM unnest(${arrays.join(', ')}) AS texts (${names.join(', ')})) AS given`
}

function matching(table: CopyTable, [key = {}]: readonly Row[]) {
  const names = Object.keys(key)
  const condition = names.map(name => `${table.name}.${name} = given.${name}`).join(' AND ')
  return { rows: rowsGiven(table, names), condition }
}

const columnsOf = (rows: readonly Row[]): (string | null)[][] =>
  Object.keys(rows[0] ?? {}).map(name =>
    rows.map(row => (row[name] === null || row[name] === undefined ? null : String(row[name]))),
  )

/** Also removes the parameters, because a parameter may contain a password. */
function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}
