import type { EventRecord } from '../../../../lib/events/record.ts'
import { serveEvents } from '../../../support/http/serve-events.ts'
import { expectWalk, paged, walkWhileWriting } from '../../../support/http/walk-while-writing.ts'
import { arrivals } from '../../../support/records/arrivals.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../../../support/runner/test-size.ts'
import { useEngine } from '../../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 1000)
/** While pages are read, the later events are written in this many batches. */
const BATCHES = 8

const engine = useEngine()
const runs = Array.from({ length: RUNS }, (_, index) => ({ seed: SEED + index }))

describe.each(runs)('while events of seed $seed are written', ({ seed }) => {
  const { initial, batches } = arrivals(seed, BATCHES)
  const everything = [...initial, ...batches.flat()]
  const shapes = shapesOf(initial).map(([name, request]) => ({ name, request: paged(initial, request) }))
  let walked: EventRecord[][]

  beforeAll(async () => {
    const served = await serveEvents(engine, initial)
    walked = await walkWhileWriting(
      served,
      shapes.map(({ request }) => request),
      batches,
    )
  })

  test.each(shapes.map((shape, index) => ({ ...shape, index })))(
    'reading on by Link misses and repeats nothing: $name',
    ({ request, index }) => {
      expectWalk(walked[index] ?? [], request, { initial, everything })
    },
  )

  test('some of the events that were written meanwhile are found', () => {
    const before = new Set(initial.map(({ id }) => id))

    expect(walked.flat().some(({ id }) => !before.has(id))).toBe(true)
  })
})
