/**
 * This module is loaded into a command's process with `--import`. The module kills the process just before the write
 * with the number `DIE_AT_WRITE`, or just after it if `DIE_BEHIND` is set. A write is an SQLite statement or a message
 * to PostgreSQL.
 */
import { Socket } from 'node:net'
import { env, kill, pid } from 'node:process'
import { DatabaseSync, StatementSync } from 'node:sqlite'

let left = Number(env.DIE_AT_WRITE)

function dieInTime(prototype: object, name: string, counts: (self: object) => boolean = () => true) {
  const original = Reflect.get(prototype, name) as (...values: unknown[]) => unknown
  Reflect.set(prototype, name, function dying(this: object, ...values: unknown[]) {
    if (!counts(this)) return Reflect.apply(original, this, values)
    left -= 1
    if (left === 0 && !env.DIE_BEHIND) kill(pid, 'SIGKILL')
    const result = Reflect.apply(original, this, values)
    if (left === 0) kill(pid, 'SIGKILL')
    return result
  })
}

dieInTime(DatabaseSync.prototype, 'exec')
dieInTime(StatementSync.prototype, 'run')
dieInTime(Socket.prototype, 'write', socket => String((socket as Socket).remotePort) === env.POSTGRES_PORT)
