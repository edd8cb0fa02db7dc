import { DatabaseSync as Real } from 'node:sqlite'
import type { Gate } from '../../gate/gate.ts'

const SQLITE_BUSY = 5

/** The files of the current life. A file outlives the processes that open it. */
const files = new Map<string, Real>()
let gateOfFiles: Gate

/** Forgets the files of an earlier life. */
export function useFilesOf(gate: Gate): void {
  if (gate === gateOfFiles) return
  for (const file of files.values()) file.close()
  files.clear()
  gateOfFiles = gate
}

export function countReals(file: string): number {
  const database = files.get(file)
  const isThere = database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'transfers'").get()
  const sql = "SELECT count(*) AS reals FROM transfers WHERE typeof(quantity) = 'real'"
  return isThere ? Number(database?.prepare(sql).get()?.reals) : 0
}

/** Ensures that a killed process runs no further statement. */
class DiedError extends Error {
  override readonly name = 'DiedError'
}

/**
 * Replaces the class of the same name in `node:sqlite` (see `replace-sqlite.ts`). A life's file is a database in
 * memory. SQLite is called synchronously and cannot wait at the gate, so this class injects the faults itself. The
 * process can die before or after a statement, and a transaction can find the file locked.
 *
 * @public
 */
export class DatabaseSync {
  #real: Real
  #gate = gateOfFiles
  #actor = gateOfFiles.currentActor()

  constructor(file: string) {
    const known = files.get(file) ?? new Real(':memory:')
    files.set(file, known)
    this.#real = known
    this.#actor.onDeath.push(() => known.isTransaction && known.exec('ROLLBACK'))
  }

  get isTransaction() {
    return this.#real.isTransaction
  }

  exec(sql: string) {
    const { faults, random } = this.#gate
    if (sql === 'BEGIN IMMEDIATE' && random.chance(faults.refused))
      throw Object.assign(new Error('database is locked'), { errcode: SQLITE_BUSY })
    return this.#passing(sql, () => this.#real.exec(sql))
  }

  prepare(sql: string) {
    const statement = this.#real.prepare(sql)
    return {
      run: (...values: never[]) => this.#passing(sql, () => statement.run(...values)),
      all: (...values: never[]) => this.#passing(sql, () => statement.all(...values)),
      setReadBigInts: (isOn: boolean) => statement.setReadBigInts(isOn),
    }
  }

  close() {
    // If this process was killed, its transaction is already rolled back, and an open transaction belongs to a later
    // process.
    if (this.#actor.isAlive && this.#real.isTransaction) this.#real.exec('ROLLBACK')
  }

  #passing<Result>(sql: string, run: () => Result): Result {
    const { faults, random } = this.#gate
    const actor = this.#actor
    if (!actor.isAlive) throw new DiedError()
    const dies = actor.isMortal && random.chance(faults.died / 4)
    if (dies && random.chance(0.5)) this.#die(`before ${sql}`)
    const result = run()
    if (dies) this.#die(`after ${sql}`)
    return result
  }

  #die(where: string): never {
    this.#gate.note(`${this.#actor.name} is killed ${where.slice(0, 60)}`)
    this.#gate.kill(this.#actor)
    throw new DiedError()
  }
}
