import { DatabaseSync as Real } from 'node:sqlite'
import type { Gate } from '../../gate/gate.ts'
import { currentGate } from '../../gate/virtual-globals.ts'

const SQLITE_BUSY = 5

/** The files of the life that is lived. A file outlives the processes that open it. */
const databases = new Map<string, Real>()
let gateOfFiles: Gate | undefined

function filesOf(gate: Gate): Map<string, Real> {
  if (gate === gateOfFiles) return databases
  for (const database of databases.values()) database.close()
  databases.clear()
  gateOfFiles = gate
  return databases
}

/** How many quantities of a copy are floating-point numbers. */
export function countReals(file: string): number {
  const database = filesOf(currentGate()).get(file)
  const isThere = database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'transfers'").get()
  const sql = "SELECT count(*) AS reals FROM transfers WHERE typeof(quantity) = 'real'"
  return isThere ? Number(database?.prepare(sql).get()?.reals) : 0
}

/** A process that was killed runs no further statement. */
class DiedError extends Error {
  override readonly name = 'DiedError'
}

/**
 * Replaces the class of `node:sqlite` (`replace-sqlite.ts`). Opens a file of a life, which is a database in memory. Each
 * statement passes here, because SQLite is called synchronously and so cannot wait at the gate: the process may die before
 * it or after it, and a transaction may find the file locked.
 *
 * @public
 */
export class DatabaseSync {
  #real: Real
  #gate: Gate
  #actor: ReturnType<Gate['currentActor']>

  constructor(file: string) {
    this.#gate = currentGate()
    this.#actor = this.#gate.currentActor()
    const files = filesOf(this.#gate)
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
