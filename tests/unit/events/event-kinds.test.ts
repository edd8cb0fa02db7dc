import { EVENT_KINDS, KINDS, OWN_FIELDS, ROLE_FIELDS, ROLES } from '../../../lib/events/event-kinds.ts'

test('codes and numbers are unique, numbers have four bits, and codes no separator of the parts of keys', () => {
  const rows = Object.values(KINDS)
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length)
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
  expect(rows.filter(({ code, number }) => !/^[A-Z]+$/.test(code) || number > 15)).toEqual([])
})

test('kinds keep the codes and numbers that existing tables contain', () => {
  const stored =
    'Minted M 0,MintedBatch MB 1,TransferSingle TS 2,TransferBatch TB 3,OwnershipTransferred OT 4'
  const given = EVENT_KINDS.map(kind => `${kind} ${KINDS[kind].code} ${KINDS[kind].number}`)
  expect(given).toEqual(expect.arrayContaining(stored.split(',')))
})

describe.each(EVENT_KINDS)('the row of %s', kind => {
  const forms = OWN_FIELDS[kind].map(([, form]) => form)

  test('has at most three addresses, which come first, because an item has four bits for them and the contract', () => {
    const areAddresses = forms.map(form => form === 'user' || form === 'address')
    expect(areAddresses.lastIndexOf(true)).toBe(areAddresses.filter(Boolean).length - 1)
    expect(areAddresses.filter(Boolean).length).toBeLessThanOrEqual(3)
  })

  test('has at most one long field, and ids together with quantities, under the names that readers look for', () => {
    expect(forms.filter(form => form === 'text' || form === 'ids').length).toBeLessThanOrEqual(1)
    const lists = OWN_FIELDS[kind].filter(([, form]) => form === 'ids' || form === 'quantities')
    expect(['', 'tokenIds,ids,quantities,quantities']).toContain(lists.join())
  })

  test('has a role for each user field that has the name of a role', () => {
    const users = OWN_FIELDS[kind].filter(([, form]) => form === 'user')
    const named = ROLES.filter(role => users.some(([name]) => name === role))
    expect(named.map(role => ROLE_FIELDS[role][kind])).toEqual(named)
  })
})
