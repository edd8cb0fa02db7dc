import postgres, { type Sql, type TransactionSql } from 'postgres'
import type { CopyDatabase, ReadRow, Row, SqlTransaction } from './copy-database.ts'
import { CopyUnavailableError } from './copy-errors.ts'
import type { ColumnType, CopyTable } from './copy-tables.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'BIGINT',
  time: 'TIMESTAMPTZ',
  // JSON stores the text unchanged. JSONB would reject the NUL characters that a bucket hash may contain.
  json: 'JSON',
  tokenId: 'NUMERIC(78)',
  quantity: 'NUMERIC(78)',
  // A contract may emit any quantities, so the sum of quantities may exceed a uint256.
  balance: 'NUMERIC',
}

const asItIs = (text: unknown) => text
const asText = (from: number[]) => ({ to: 0, from, serialize: asItIs, parse: asItIs })
/**
 * The `pg_type` numbers of the types that postgres.js would parse into objects. Values of these types are read as text.
 */
const AS_TEXT = { json: asText([114, 3802]), date: asText([1082, 1114, 1184]) }

/** Error codes of postgres.js and Node.js for a failed or lost connection. */
const BROKEN_CONNECTION =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
/**
 * SQLSTATEs of temporary failures: connection exceptions, too many connections, a server that stops or starts, and
 * conflicting transactions (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PASSING_STATE = /^(08\w{3}|53300|57P0[123]|40001|40P01)$/

/** Opens a PostgreSQL database, and connects on first use. The copy's tables are in the connection's `search_path`. */
export function openPostgres(url: string): CopyDatabase {
  const name = withoutPassword(url)
  // Uses one connection and no named statements, because a pooler may run each transaction on a different connection.
  const sql = postgres(url, { max: 1, prepare: false, types: AS_TEXT, onnotice: () => undefined })

  async function explained<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!BROKEN_CONNECTION.test(code) && !PASSING_STATE.test(code)) throw error
      throw new CopyUnavailableError({ database: name, cause: error as Error })
    }
  }

  return {
    name,
    transaction: <Result>(work: (transaction: SqlTransaction) => Promise<Result>) =>
      explained(sql.begin(transaction => work(transactionOf(transaction))) as Promise<Result>),
    read: statement => explained(readAll(sql, statement)),
    close: () => sql.end({ timeout: 1 }),
  }
}

function transactionOf(sql: TransactionSql): SqlTransaction {
  return {
    async run(statement) {
      await sql.unsafe(statement)
    },
    async columnsOf(table) {
      const columns = await sql.unsafe(
        'SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped',
        [table],
      )
      return columns.map(({ attname }) => attname)
    },
    async create({ name, columns, key }) {
      const lines = Object.entries(columns).map(([column, type]) => `${column} ${TYPES[type]}`)
      await sql.unsafe(
        `CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}, PRIMARY KEY (${key.join(', ')}))`,
      )
    },
    async clear({ name }) {
      await sql.unsafe(`TRUNCATE ${name}`)
    },
    lock: ({ name }) => readAll(sql, `SELECT * FROM ${name} FOR UPDATE`),
    async put(table, rows) {
      if (rows.length === 0) return
      const names = Object.keys(rows[0] ?? {})
      const others = names.filter(column => !table.key.includes(column))
      await sql.unsafe(
        `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM ${rowsGiven(table, names)}
        ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${others.map(each => `${each} = EXCLUDED.${each}`)}`,
        columnsOf(rows),
      )
    },
    async remove(table, keys) {
      if (keys.length === 0) return
      const names = Object.keys(keys[0] ?? {})
      await sql.unsafe(
        `DELETE FROM ${table.name} USING ${rowsGiven(table, names)} WHERE ${areGiven(table, names)}`,
        columnsOf(keys),
      )
    },
    async find(table, keys) {
      if (keys.length === 0) return []
      const names = Object.keys(keys[0] ?? {})
      const condition = areGiven(table, names)
      return readAll(
        sql,
        `SELECT ${table.name}.* FROM ${table.name} JOIN ${rowsGiven(table, names)} ON ${condition}`,
        columnsOf(keys),
      )
    },
  }
}

async function readAll(sql: Sql | TransactionSql, statement: string, values: (string | null)[][] = []) {
  const rows = await sql.unsafe(statement, values)
  return rows.map(
    (row): ReadRow =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? undefined : String(value)]),
      ),
  )
}

/**
 * The SQL of a subquery that returns rows from one array parameter for each column. So one statement writes many rows.
 */
function rowsGiven({ columns }: CopyTable, names: readonly string[]): string {
  const typed = names.map(name => `${name}::${TYPES[columns[name] ?? 'text']} AS ${name}`)
  const arrays = names.map((_, index) => `$${index + 1}::text[]`)
  return `(SELECT ${typed.join(', ')} FROM unnest(${arrays.join(', ')}) AS texts (${names.join(', ')})) AS given`
}

const areGiven = (table: CopyTable, names: readonly string[]) =>
  names.map(name => `${table.name}.${name} = given.${name}`).join(' AND ')

const columnsOf = (rows: readonly Row[]): (string | null)[][] =>
  Object.keys(rows[0] ?? {}).map(name =>
    rows.map(row => (row[name] === null || row[name] === undefined ? null : String(row[name]))),
  )

/** Removes the password and the parameters from a database's URL, for messages. A parameter may also be a password. */
function withoutPassword(text: string): string {
  const url = new URL(text)
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}
