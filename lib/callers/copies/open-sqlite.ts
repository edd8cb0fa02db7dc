import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  isPassing,
  resultCode,
  SQLITE_CORRUPT,
  SQLITE_ERROR,
  SQLITE_NOT_A_DATABASE,
} from '../../kit/sqlite-errors.ts'
import {
  type CopyDatabase,
  CopyUnavailableError,
  lacksTable,
  type ReadRow,
  type Row,
  type SqlTransaction,
} from './copy-database.ts'
import { BALANCES, type ColumnType, type CopyTable, EVENTS, TRANSFERS } from './copy-tables.ts'

const TYPES: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'INTEGER',
  time: 'TEXT',
  json: 'TEXT',
  // A TEXT column can be compared with numbers and strings, because SQLite converts a number to text before comparing.
  tokenId: 'TEXT',
  // An integer or a string, as returned by `quantityValue`.
  quantity: 'ANY',
  balance: 'ANY',
}

/** The former names of some columns of `events`. Queries can still use these names. */
const EARLIER_NAMES = {
  block_number: 'blockNumber',
  block_hash: 'blockHash',
  transaction_hash: 'transactionHash',
  log_index: 'logIndex',
  created_at: 'createdAt',
} as const

/** The number of digits of 2^256 - 1. */
const UINT256_DIGITS = 78

/** Opens or creates a file. Throws if it cannot be opened. */
export function openSqlite(file: string): CopyDatabase {
  const database = openFile(file)
  const statements = new Map<string, StatementSync>()

  /** Statements are cached until the next `run`. */
  function prepared(sql: string): StatementSync {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  function run(sql: string) {
    statements.clear()
    database.exec(sql)
  }
  function runForEach(sql: string, rows: readonly Row[], table: CopyTable) {
    if (rows.length === 0) return
    const statement = prepared(sql)
    for (const row of rows) statement.run(...valuesOf(row, table))
  }

  const transaction: SqlTransaction = {
    run: async sql => run(sql),
    // Every transaction begins with `BEGIN IMMEDIATE`, which locks the whole file, so no statement is needed here.
    lockTables: async () => undefined,
    columnsOf: async table =>
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
    async mendCopy() {
      for (const { name } of [TRANSFERS, BALANCES])
        run(`UPDATE ${name} SET quantity = CAST(quantity AS INTEGER) WHERE typeof(quantity) = 'real'`)
    },
    create: async table => run(creation(table)),
    clear: async ({ name }) => run(`DELETE FROM ${name}`),
    lock: async ({ name }) => readable(database.prepare(`SELECT * FROM ${name}`).all()),
    async put(table, rows) {
      const names = Object.keys(rows[0] ?? {})
      const values = names.map(() => '?').join(', ')
      runForEach(`INSERT OR REPLACE INTO ${table.name} (${names.join(', ')}) VALUES (${values})`, rows, table)
    },
    async remove(table, keys) {
      runForEach(`DELETE FROM ${table.name} WHERE ${conditionOf(keys)}`, keys, table)
    },
    async find(table, keys) {
      if (keys.length === 0) return []
      const statement = prepared(`SELECT * FROM ${table.name} WHERE ${conditionOf(keys)}`)
      return readable(keys.flatMap(key => statement.all(...valuesOf(key, table))))
    },
  }

  return {
    name: file,
    async transaction(work) {
      try {
        database.exec('BEGIN IMMEDIATE')
        const result = await work(transaction)
        database.exec('COMMIT')
        return result
      } catch (error) {
        // After some failures, such as a full disk, SQLite has already rolled back the transaction.
        if (database.isTransaction) database.exec('ROLLBACK')
        throw explain(error as Error, file)
      }
    },
    async read(sql) {
      try {
        const statement = database.prepare(sql)
        // A sum may be an integer that a JavaScript number cannot represent exactly.
        statement.setReadBigInts(true)
        return readable(statement.all())
      } catch (error) {
        throw explain(error as Error, file)
      }
    },
    startWriting() {
      try {
        database.exec('PRAGMA journal_mode = WAL')
      } catch (error) {
        throw explain(error as Error, file)
      }
    },
    close: async () => database.close(),
  }
}

function creation({ name, columns, key, isNarrow }: CopyTable): string {
  const earlier = name === EVENTS.name ? Object.entries(EARLIER_NAMES) : []
  const lines = [
    ...Object.entries(columns).map(([column, type]) => `${column} ${TYPES[type]}`),
    ...earlier.map(([column, before]) => `${before} ${TYPES[columns[column] ?? 'text']} AS (${column})`),
    `PRIMARY KEY (${key.join(', ')})`,
  ]
  return `CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}) STRICT${isNarrow ? ', WITHOUT ROWID' : ''}`
}

const conditionOf = ([key = {}]: readonly Row[]) =>
  Object.keys(key)
    .map(column => `${column} = ?`)
    .join(' AND ')

const valuesOf = (row: Row, { columns }: CopyTable) =>
  Object.entries(row).map(([column, value]) =>
    ['quantity', 'balance'].includes(columns[column] ?? '') ? quantityValue(String(value)) : value,
  )

/**
 * Returns a quantity within ±(2^53 - 1) as an integer, which every program reads exactly, and any other quantity as a
 * string. SQLite sorts strings after integers, and strings of equal width keep positive quantities in numeric order.
 */
function quantityValue(decimal: string): bigint | string {
  // `node:sqlite` binds a BigInt as INTEGER, but a JavaScript number as REAL, which a column of type ANY would keep.
  if (Number.isSafeInteger(Number(decimal))) return BigInt(decimal)
  return decimal.startsWith('-') ? decimal : decimal.padStart(UINT256_DIGITS, '0')
}

const readable = (rows: Record<string, unknown>[]): ReadRow[] =>
  rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value === null ? undefined : String(value)]),
    ),
  )

function openFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 5000 })
  } catch (error) {
    throw explain(error as Error, file)
  }
}

/** Names the file, because SQLite's messages do not. */
function explain(cause: Error, file: string): Error {
  if (isPassing(cause)) return new CopyUnavailableError({ database: file, cause })
  const code = resultCode(cause)
  if (code === SQLITE_ERROR && cause.message.startsWith('no such table')) return lacksTable(file)
  if (code === 0 || code === SQLITE_ERROR) return cause
  const problems: Record<number, string> = {
    [SQLITE_CORRUPT]: `${file} is damaged`,
    [SQLITE_NOT_A_DATABASE]: `${file} is not an SQLite database`,
  }
  return new Error(`${problems[code] ?? `Can't write ${file}: ${cause.message}`}; use another file`, {
    cause,
  })
}
