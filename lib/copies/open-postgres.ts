import postgres, { type Sql, type TransactionSql } from 'postgres'
import type { CopyDatabase, ReadRow, Row, Turn } from './copy-database.ts'
import { CopyUnavailableError } from './copy-errors.ts'
import type { ColumnType, CopyTable } from './copy-tables.ts'
import { withoutPassword } from './without-password.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'BIGINT',
  time: 'TIMESTAMPTZ',
  // Keeps the text as it is; JSONB refuses the NUL that a bucket hash may hold.
  json: 'JSON',
  tokenId: 'NUMERIC(78)',
  quantity: 'NUMERIC(78)',
  // A contract may emit what it likes: sums of its quantities may be larger than any quantity.
  balance: 'NUMERIC',
}

const asItIs = (text: unknown) => text
const asText = (from: number[]) => ({ to: 0, from, serialize: asItIs, parse: asItIs })
/** Types that postgres.js would make objects of, by their number in `pg_type`. */
const AS_TEXT = { json: asText([114, 3802]), date: asText([1082, 1114, 1184]) }

/** What postgres.js and Node.js call a connection that cannot be had or is gone. */
const BROKEN_CONNECTION =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
/**
 * SQLSTATEs that pass: connection exceptions, too many connections, a shutdown or start, a transaction that another one
 * got in the way of (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const PASSING_STATE = /^(08\w{3}|53300|57P0[123]|40001|40P01)$/

/** Connects when it is first used. The tables are those of the connection's `search_path`. */
export function openPostgres(url: string): CopyDatabase {
  const name = withoutPassword(url)
  // One connection, without named statements: poolers between give each transaction another one.
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
    transaction: <Result>(work: (turn: Turn) => Promise<Result>) =>
      explained(sql.begin(transaction => work(turnOf(transaction))) as Promise<Result>),
    read: statement => explained(readAll(sql, statement)),
    close: () => sql.end({ timeout: 1 }),
  }
}

function turnOf(sql: TransactionSql): Turn {
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

/** Rows that are sent as one array for each column: one statement, however many there are. */
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
