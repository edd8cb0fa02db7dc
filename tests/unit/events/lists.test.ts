import { listPath, listsOf } from '../../../lib/events/lists.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const [ada = '', bob = ''] = ['a1', 'b0'].map(digits => `0x${digits.repeat(20)}`)
const pathsOf = (record: Parameters<typeof listsOf>[0]) => listsOf(record).map(listPath)

describe('the lists that an event is written into', () => {
  it('name the new owner as owner, and give the previous one no role', () => {
    const change = makeEvent('OwnershipTransferred', { previousOwner: ada, newOwner: bob })
    expect(pathsOf(change).filter(path => path.startsWith('user'))).toEqual([
      `user#${ada}`,
      `user#${ada}#OwnershipTransferred`,
      `user#${bob}`,
      `user#${bob}#OwnershipTransferred`,
      `user#${bob}#owner`,
    ])
  })
})
