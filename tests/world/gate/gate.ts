import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers'
import { createRandom } from '../../support/records/random.ts'

/** A process. Everything that it sends passes the gate, and nothing reaches it after its death. */
export interface Actor {
  readonly name: string
  /** Whether the gate may kill or pause the actor. False for an instance of the service, whose calls alone can fail. */
  readonly isMortal: boolean
  /** How far the actor's wall clock is ahead of the world's clock, in milliseconds. */
  readonly skewMs: number
  isAlive: boolean
  /** Until this time nothing wakes the process, although its requests are still in flight. */
  pausedUntil: number
  onDeath: (() => void)[]
}

/** Probabilities per call. */
export interface FaultRates {
  /** The other end returns a documented error, and does nothing. */
  refused: number
  /** The connection breaks before or after the call takes effect. */
  lost: number
  /** The call is delayed, possibly until the caller gives up. */
  late: number
  /** The calling process dies before or after the call takes effect. */
  died: number
  /** The calling process is frozen for up to two minutes. */
  paused: number
}

export const NO_FAULTS: FaultRates = { refused: 0, lost: 0, late: 0, died: 0, paused: 0 }

/** A call that leaves the code under test. */
interface Passage<Answer> {
  /** The title is the same in every run of a life. */
  title: string
  patienceMs: number
  /** Performs the call at the other end. An error that this function throws is the other end's answer. */
  take: () => Answer
  /** The documented answers with which the other end can refuse to do anything. */
  refusals?: readonly (() => unknown)[]
  /** The probability of a delay, if that is higher than for other calls. */
  late?: number
  lost: () => Error
  timedOut: () => Error
  signal?: AbortSignal | null | undefined
  /** Whether the other end sends no answer, although the call takes effect. */
  isMute?: (() => boolean) | undefined
}

interface Waiting {
  id: number
  actor: Actor
  title: string
  notBefore: number
  isRefusable: boolean
  /** The call takes effect before this time or never. */
  until: number
  pass: (how: Fate) => void
}

type Fate = 'answered' | 'refused' | 'lost before' | 'lost after' | 'unheard'

interface Timer {
  id: number
  actor: Actor
  dueAt: number
  ring: () => void
}

export type Gate = ReturnType<typeof createGate>

/** Something is unfinished, but the world stands still or runs forever. */
export class StuckError extends Error {
  override readonly name = 'StuckError'
}

const BEGINNING_MS = Date.parse('2026-03-01T12:00:00Z')
const SWIFT_MS = 15
const MOST_STEPS = 60_000
const LONGEST_PAUSE_MS = 120_000
/** The upper bounds of short and long delays. During a short delay, only a few other calls happen. */
const DELAYS_MS = [300, 60_000]

const actors = new AsyncLocalStorage<Actor>()

/** The seed alone determines which call is next, which calls fail or are late, and which processes die. */
export function createGate(seed: number) {
  const random = createRandom(seed)
  const hash = createHash('sha256')
  const story: string[] = []
  const waiting: Waiting[] = []
  /** Calls whose connections broke. The caller must assume that its call may still take effect before `until`. */
  let broken: Waiting[] = []
  const timers = new Map<number, Timer>()
  const world: Actor = newActor('world', { isMortal: false })
  let [now, calls, ids] = [BEGINNING_MS, 0, 0]

  function newActor(name: string, { isMortal = true, skewMs = 0 } = {}): Actor {
    return { name, isMortal, skewMs, isAlive: true, pausedUntil: 0, onDeath: [] }
  }
  const currentActor = () => actors.getStore() ?? world

  function note(line: string) {
    const dated = `${new Date(now).toISOString()} ${line}`
    hash.update(`${dated}\n`)
    story.push(dated)
  }

  function addTimer(actor: Actor, dueAt: number, ring: () => void): number {
    ids += 1
    timers.set(ids, { id: ids, actor, dueAt, ring })
    return ids
  }

  const stopTimer = (id: number) => timers.delete(id)

  /** Waits for the end of the process's pause, if any. A dead process receives nothing. */
  function hand(actor: Actor, give: () => void) {
    if (!actor.isAlive) return
    if (actor.pausedUntil > now) addTimer(actor, actor.pausedUntil, () => hand(actor, give))
    else give()
  }

  function kill(actor: Actor) {
    if (!actor.isAlive) return
    note(`${actor.name} dies`)
    actor.isAlive = false
    for (const [id, timer] of timers) if (timer.actor === actor) timers.delete(id)
    // A request that the process has sent may still arrive.
    for (const call of waiting) {
      if (call.actor === actor && call.until > now) call.notBefore = now + random.below(call.until - now)
    }
    for (const each of actor.onDeath) each()
  }

  function pause(actor: Actor, ms: number) {
    note(`${actor.name} is frozen for ${ms} ms`)
    actor.pausedUntil = now + ms
  }

  function pass<Answer>(passage: Passage<Answer>): Promise<Answer> {
    const { title, patienceMs, take, refusals = [], lost, timedOut, signal, isMute, late = 0 } = passage
    const actor = currentActor()
    // Nothing that a dead process sends arrives anywhere, and it receives no answer.
    if (!actor.isAlive) return new Promise(() => undefined)
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise<Answer>((resolve, reject) => {
      const until = now + patienceMs
      let isHeard = true
      const isLate = random.chance(Math.max(late, gate.faults.late))
      ids += 1
      const call: Waiting = {
        id: ids,
        actor,
        title,
        notBefore: isLate ? now + random.below(Math.min(patienceMs, random.pick(DELAYS_MS))) : now,
        isRefusable: refusals.length > 0,
        until,
        pass: way,
      }
      const giveUp = addTimer(actor, until, () => hear(() => reject(timedOut())))
      const onAbort = () => hear(() => reject(signal?.reason))
      signal?.addEventListener('abort', onAbort)
      waiting.push(call)

      function hear(tell: () => void) {
        if (!isHeard) return
        isHeard = false
        stopTimer(giveUp)
        signal?.removeEventListener('abort', onAbort)
        tell()
      }
      function way(fate: Fate) {
        const answer = (tell: () => void) => hand(actor, () => hear(tell))
        if (fate === 'refused') {
          const refusal = random.pick(refusals)()
          return answer(() => reject(refusal))
        }
        if (fate === 'lost before') return answer(() => reject(lost()))
        try {
          const result = take()
          if (isMute?.()) return
          if (fate === 'lost after') answer(() => reject(lost()))
          else if (fate === 'answered') answer(() => resolve(result))
        } catch (error) {
          if (fate === 'answered') answer(() => reject(error))
        }
      }
    })
  }

  function fateOf({ actor, until, isRefusable }: Waiting): Fate {
    const { refused, lost, died, paused } = gate.faults
    const chance = random.next()
    if (!actor.isAlive || now >= until) return random.chance(0.5) ? 'unheard' : 'lost before'
    if (chance < refused) return isRefusable ? 'refused' : 'answered'
    if (chance < refused + lost) return random.chance(0.5) ? 'lost before' : 'lost after'
    if (actor.isMortal && chance < refused + lost + died) {
      kill(actor)
      return random.chance(0.5) ? 'unheard' : 'lost before'
    }
    if (actor.isMortal && chance < refused + lost + died + paused)
      pause(actor, random.below(LONGEST_PAUSE_MS))
    return 'answered'
  }

  function nextTimer(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers.values()) if (!first || timer.dueAt < first.dueAt) first = timer
    return first
  }

  function ring(timer: Timer) {
    timers.delete(timer.id)
    now = Math.max(now, timer.dueAt)
    if (timer.actor.pausedUntil > now) return hand(timer.actor, timer.ring)
    timer.ring()
  }

  /** Lets one call or timer through, or moves the clock to the next one. Resolves with false if nothing waits. */
  async function step(): Promise<boolean> {
    await allAtRest()
    const timer = nextTimer()
    if (timer && timer.dueAt <= now) {
      ring(timer)
      return true
    }
    const ready = waiting.filter(({ notBefore }) => notBefore <= now)
    const alarm = timer?.dueAt ?? Number.POSITIVE_INFINITY
    if (ready.length === 0) {
      const soonest = Math.min(alarm, ...waiting.map(({ notBefore }) => notBefore))
      if (soonest === Number.POSITIVE_INFINITY) return false
      now = soonest
      return true
    }
    const call = ready.find(({ until: end }) => end <= now) ?? random.pick(ready)
    waiting.splice(waiting.indexOf(call), 1)
    calls += 1
    const fate = fateOf(call)
    broken = broken.filter(({ until: end }) => end > now)
    if (fate === 'lost before' || fate === 'lost after') broken.push(call)
    note(`${call.actor.name}: ${call.title}${fate === 'answered' ? '' : ` (${fate})`}`)
    call.pass(fate)
    now = Math.min(now + random.below(SWIFT_MS), alarm)
    return true
  }

  /** Performs steps until the work has ended. Throws `StuckError` if nothing waits, or after too many steps. */
  async function until<Result>(work: Promise<Result>, mostSteps = MOST_STEPS): Promise<Result> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    over.catch(() => undefined)
    for (let steps = 0; ; steps += 1) {
      await allAtRest()
      if (isOver) return over
      if (steps >= mostSteps) throw new StuckError(`The work has not ended after ${mostSteps} steps`)
      if (!(await step())) throw new StuckError('The work has not ended, but no call or timer is waiting')
    }
  }

  const gate = {
    /** Milliseconds since 1970, by the world's clock. */
    now: () => now,
    /** The source of random choices for the gate, the code under test and some simulated systems. */
    random,
    faults: NO_FAULTS,
    get calls() {
      return calls
    },
    /** The life's story, with one line per call and note. */
    story: story as readonly string[],
    digest: () => hash.copy().digest('hex').slice(0, 16),
    note,
    actor: newActor,
    /** Runs the work in the actor's name. The promise never settles if the actor dies first. */
    runAs: <Result>(actor: Actor, work: () => Promise<Result>) => actors.run(actor, work),
    currentActor,
    pass,
    /** The titles of the calls that may still take effect. */
    underWay: (actor: Actor) =>
      [...waiting, ...broken]
        .filter(call => call.actor === actor && call.until > now)
        .map(({ title }) => title),
    startTimer: (ms: number, onRing: () => void) =>
      addTimer(
        currentActor(),
        now + Math.max(1, Math.ceil(Math.min(ms, 2 ** 31 - 1))),
        AsyncLocalStorage.bind(onRing),
      ),
    stopTimer,
    kill,
    pause,
    /** Advances the clock while nothing happens, as if all machines had slept. */
    jump(ms: number) {
      now += ms
    },
    step,
    until,
  }
  return gate
}

/**
 * Resolves when all code in this process waits for the gate. Promises and ticks are done before the next turn of the
 * event loop. Work outside JavaScript may take several turns, so the function waits until no such work is active.
 */
async function allAtRest(): Promise<void> {
  do await new Promise<void>(resolve => nextTurn(resolve))
  while (hasWorkOutside())
}

const hasWorkOutside = () =>
  process.getActiveResourcesInfo().some(kind => kind.startsWith('FSReq') || kind === 'Zlib')
