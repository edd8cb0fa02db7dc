/**
 * While a life runs, replaces this process's clock, timers, random numbers and network with those of the world. This
 * module must be imported before the code under test, because that code keeps the functions that it imports.
 */
import crypto from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import zlib from 'node:zlib'
import type { Gate } from './gate.ts'

let gate: Gate | undefined

const real = { Date, setTimeout, clearTimeout, setImmediate, random: Math.random }

interface Surroundings {
  gate: Gate
  fetch: typeof fetch
  /** Replaces `http.request` and `https.request`. */
  request: (url: URL, options: never) => unknown
}

let network: Pick<Surroundings, 'fetch' | 'request'> | undefined

/** Returns to the real surroundings if `entered` is undefined. */
export function enterWorld(entered: Surroundings | undefined): void {
  gate = entered?.gate
  network = entered
}

const now = () => (gate ? gate.now() : real.Date.now())
const wallClock = () => now() + (gate?.currentActor().skewMs ?? 0)
const random = () => (gate ? gate.random.next() : real.random())

class WorldDate extends Date {
  constructor(...parts: unknown[]) {
    // The constructor of `Date` is overloaded, so its parameters need a cast.
    super(...((parts.length === 0 ? [wallClock()] : parts) as [number]))
  }
  static override now = wallClock
}

class WorldTimeout {
  #id: number
  constructor(ms: number, ring: () => void) {
    this.#id = (gate as Gate).startTimer(ms, ring)
  }
  close() {
    gate?.stopTimer(this.#id)
  }
  ref = () => this
  unref = () => this
  hasRef = () => true
}

const startTimer =
  (original: (ring: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => unknown) =>
  (ring: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    gate ? new WorldTimeout(ms, () => ring(...values)) : original(ring, ms, ...values)

const stopTimer = (original: (timer: never) => void) => (timer: unknown) =>
  timer instanceof WorldTimeout ? timer.close() : original(timer as never)

function sleep<Value>(ms = 0, value?: Value, { signal }: { signal?: AbortSignal } = {}): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.close()
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = new WorldTimeout(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve(value as Value)
    })
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
  })
}

function timeout(ms: number): AbortSignal {
  const limit = new AbortController()
  new WorldTimeout(ms, () => limit.abort(new DOMException('The operation timed out', 'TimeoutError')))
  return limit.signal
}

/**
 * Replaces `AbortSignal.any`, because Node.js keeps a composite signal with a listener, and thus the whole life, in
 * memory.
 */
function any(signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController()
  const aborted = signals.find(signal => signal.aborted)
  if (aborted) first.abort(aborted.reason)
  else for (const signal of signals) followersOf(signal).add(first)
  return first.signal
}

const followers = new WeakMap<AbortSignal, Set<AbortController>>()

/** All followers of a signal share one listener, because each additional listener takes longer to add. */
function followersOf(signal: AbortSignal): Set<AbortController> {
  const known = followers.get(signal)
  if (known) return known
  const following = new Set<AbortController>()
  followers.set(signal, following)
  signal.addEventListener('abort', () => {
    for (const each of following) each.abort(signal.reason)
  })
  return following
}

const hex = (bytes: number) =>
  Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')

function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  by: (original: Owner[Name]) => unknown,
): void {
  Object.defineProperty(owner, name, { value: by(owner[name]), writable: true, configurable: true })
}

type Call = (...parameters: never[]) => unknown

/** Calls `instead` while a life runs, and otherwise the original. */
const inWorld =
  (instead: Call) =>
  (original: unknown) =>
  (...parameters: never[]) =>
    (gate ? instead : (original as Call))(...parameters)

replace(globalThis, 'Date', () => WorldDate)
replace(Math, 'random', () => random)
replace(performance, 'now', original => () => (gate ? now() : original.call(performance)))
// The gate itself waits with the real `setImmediate` of `node:timers`.
replace(globalThis, 'setImmediate', original => startTimer(original as never))
for (const owner of [globalThis, timers]) {
  replace(owner, 'setTimeout', original => startTimer(original as never))
  replace(owner, 'clearTimeout', original => stopTimer(original as never))
}
replace(AbortSignal, 'timeout', inWorld(timeout))
replace(AbortSignal, 'any', inWorld(any))
const fetchInWorld: typeof fetch = (input, init) => (network as Surroundings).fetch(input, init)
replace(globalThis, 'fetch', inWorld(fetchInWorld))
replace(timersPromises, 'setTimeout', inWorld(sleep))
const uuid = () => `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`
replace(crypto, 'randomUUID', inWorld(uuid))
const integerBelow = (end: number) => Math.floor(random() * end)
replace(crypto, 'randomInt', inWorld(integerBelow))
const hostname = () => 'world'
replace(os, 'hostname', inWorld(hostname))
const request = (url: URL, options: never) => network?.request(url, options)
for (const protocol of [http, https]) replace(protocol, 'request', inWorld(request))
// Compresses at once, because zlib's thread pool would finish its work in an unpredictable order.
const atOnce = (compress: Call) =>
  inWorld((input: never, ...rest: never[]) => {
    const done: Call = rest.pop() as never
    process.nextTick(done, null, compress(input, rest[0] as never))
  })
replace(zlib, 'gzip', atOnce(zlib.gzipSync))
replace(zlib, 'gunzip', atOnce(zlib.gunzipSync))
Object.defineProperty(process, 'pid', { value: 1 })
syncBuiltinESMExports()
