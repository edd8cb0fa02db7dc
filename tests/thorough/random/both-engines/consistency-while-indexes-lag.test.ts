import type { EventRecord } from '../../../../lib/events/record.ts'
import { type ServedLagging, serveLagging } from '../../../support/http/serve-lagging.ts'
import { expectWalk, paged, walkWhileWriting } from '../../../support/http/walk-while-writing.ts'
import { arrivals } from '../../../support/records/arrivals.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../../../support/runner/test-size.ts'
import { useEngine } from '../../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 1000)
/** The later events are written in this many batches while pages are read. */
const BATCHES = 8

const engine = useEngine()
const runs = Array.from({ length: RUNS }, (_, index) => ({ seed: SEED + index }))

describe.each(runs)('while events of seed $seed are indexed, and indexes lag behind', ({ seed }) => {
  const { initial, batches } = arrivals(seed, BATCHES)
  const everything = [...initial, ...batches.flat()]
  const shapes = shapesOf(initial).map(([name, request]) => ({ name, request: paged(initial, request) }))
  let served: ServedLagging
  let walked: EventRecord[][]

  beforeAll(async () => {
    served = await serveLagging(engine, initial, { seed })
    walked = await walkWhileWriting(
      served,
      shapes.map(({ request }) => served.naming(request)),
      batches,
    )
  })
  afterAll(() => served.stop())

  test.each(shapes.map((shape, index) => ({ ...shape, index })))(
    'reading on by Link with minBlock misses and repeats nothing: $name',
    ({ request, index }) => {
      expectWalk(walked[index] ?? [], request, { initial, everything })
    },
  )
})
