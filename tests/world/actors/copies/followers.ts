import { isDeepStrictEqual } from 'node:util'
import { followChanges, openWhenReachable } from '../../../../lib/callers/copies/follow/follow-changes.ts'
import { openCopy } from '../../../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { createOutagePauses } from '../../../../lib/client/create-outage-pauses.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { copiedBalances, sumOfTransfers } from '../../../support/copies/balances-of.ts'
import type { ReaderPlan } from '../../life.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { startJob } from '../../start-job.ts'
import type { Part, ReadCopy, Reader, World } from '../../world.ts'
import { expire, newReader } from '../readers/start-readers.ts'
import { countReals, useFilesOf } from './sim-sqlite.ts'

export const FOLLOWERS: Part = {
  readers: { follower: { weight: 1, create: createFollower } },
  laws: [
    {
      sentence: 'The transfers and balances of a copy are those of its events.',
      atRest: ({ copies }) =>
        copies.flatMap(({ plan, found, expected }: ReadCopy & { found?: object; expected?: object }) =>
          isDeepStrictEqual(found, expected)
            ? []
            : [`${plan.name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`],
        ),
    },
  ],
}

/** A follower with `--once` ends with one of these errors if there is an outage. */
const ONCE_ENDS = ['ApiError', 'ConnectionError', 'CopyUnavailableError', 'UnavailableError']

function createFollower(world: World, plan: ReaderPlan): Reader {
  useFilesOf(world.gate)
  const start = ({ once }: { once: boolean }) =>
    startJob(world, {
      kind: 'follower',
      name: plan.name,
      mayEndWith: once ? ONCE_ENDS : [],
      work: async job => {
        const pauses = createOutagePauses({ signal: job.stop.signal, onTrouble: () => undefined })
        const copy = await openWhenReachable(
          () => openCopy(`sqlite:${plan.name}`, { source: SERVICE_URL }),
          pauses,
        )
        let begunAt = world.gate.now()
        await followChanges({
          client: createEventsClient(SERVICE_URL),
          copy,
          query: { ...plan.scope, limit: 1 + world.random.below(world.random.pick([3, 50])) },
          once,
          signal: job.stop.signal,
          onPage: async ({ isUpToDate }) => {
            if (isUpToDate) reader.readAt = begunAt
            begunAt = world.gate.now()
          },
          onRestart: () => expire(world, reader),
        })
        await copy.close()
      },
    })
  const reader: Reader = { ...newReader(world, plan), start, hold: () => readCopy(plan) }
  return reader
}

async function readCopy({ name }: ReaderPlan) {
  // Counts the REAL quantities before opening the copy, because opening corrects what an earlier version stored.
  const reals = countReals(name)
  const opened = await openCopy(`sqlite:${name}`, { source: SERVICE_URL })
  const records = (await opened.records()) as unknown as EventRecord[]
  const balances = await opened.read('SELECT network, address, token_id, owner, quantity FROM balances')
  return {
    records: new Map(records.map(record => [record.id, record])),
    found: { 'quantities that are no integers': reals, ...copiedBalances(balances) },
    expected: { 'quantities that are no integers': 0, ...sumOfTransfers(records) },
  }
}
