import fc from 'fast-check'
import { isInList, listPath, listsOf } from '../../../lib/events/lists.ts'
import { eventSetOf, eventSets } from '../../support/records/arbitrary-records.ts'

const size = { blocks: 4, events: 4 }

describe('isInList', () => {
  it('is true of the lists that an event is written into, and of no list that only others are in', () => {
    fc.assert(
      fc.property(eventSets(size), records => {
        const paths = [...new Set(records.flatMap(record => listsOf(record).map(listPath)))]
        for (const record of records) {
          const own = new Set(listsOf(record).map(listPath))
          expect(paths.filter(path => isInList(record, path))).toEqual(paths.filter(path => own.has(path)))
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each(['', 'all#', 'all#Minted#Minted', 'user', 'token', 'block#1', 'all#constructor'])(
    'is false of what is no list: "%s"',
    path => {
      expect(eventSetOf(size, 1).filter(record => isInList(record, path))).toEqual([])
    },
  )
})
