import { DatabaseSync as Real } from 'node:sqlite'
import type { Gate } from '../../gate/gate.ts'

const SQLITE_BUSY = 5

/** The files of a life. A file outlives the processes that open it. */
export interface SimFiles {
  gate: Gate
  databases: Map<string, Real>
}

let files: SimFiles | undefined

/** From now on, databases are files of this life. */
export function useFiles(used: SimFiles | undefined): void {
  for (const database of files?.databases.values() ?? []) database.close()
  files = used
}

/** How many quantities of a copy are floating-point numbers. */
export function countReals(file: string): number {
  const database = files?.databases.get(file)
  const isThere = database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'transfers'").get()
  const sql = "SELECT count(*) AS reals FROM transfers WHERE typeof(quantity) = 'real'"
  return isThere ? Number(database?.prepare(sql).get()?.reals) : 0
}

/** A process that was killed runs no further statement. */
class DiedError extends Error {
  override readonly name = 'DiedError'
}

/**
 * Replaces the class of `node:sqlite` (`run/hooks.ts`). Opens a file of a life, which is a database in memory. Each statement passes here, because SQLite is called
 * synchronously and so cannot wait at the gate: the process may die before it or after it, and a transaction may find
 * the file locked.
 *
 * @public
 */
export class DatabaseSync {
  #real: Real
  #gate: Gate
  #actor: ReturnType<Gate['currentActor']>

  constructor(file: string) {
    const { gate, databases } = files as SimFiles
    this.#gate = gate
    this.#actor = gate.currentActor()
    const known = databases.get(file) ?? new Real(':memory:')
    databases.set(file, known)
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
    // Of a process that was killed, nothing is open any more. A later process may have begun its own transaction.
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
