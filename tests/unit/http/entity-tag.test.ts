import { entityTag, namesTag } from '../../../lib/http/entity-tag.ts'

const page = { body: '[1]', coding: 'identity', metadata: [undefined, undefined] } as const

test('the same answer has the same tag, in quotes and without W/', () => {
  expect(entityTag(page)).toBe(entityTag({ ...page }))
  expect(entityTag(page)).toMatch(/^"[\w-]{20}"$/)
})

test.each([
  ['another body', { body: '[2]' }],
  ['another coding', { coding: 'br' }],
  ['a link to a next page', { metadata: ['<https://example.com>; rel="next"', undefined] }],
  ['only a part of the page', { metadata: [undefined, 'true'] }],
  ['the same text of another header', { metadata: ['true', undefined] }],
] as const)('%s has another tag', (_, change) => {
  expect(entityTag({ ...page, ...change })).not.toBe(entityTag(page))
})

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', '*', ' * ', '"x,y", "a"', 'W/"b" , "a" '])(
  'If-None-Match: %s names "a"',
  ifNoneMatch => {
    expect(namesTag(ifNoneMatch, '"a"')).toBe(true)
  },
)

test.each([undefined, '', 'a', '"A"', '"b"', '"b, "a', "'a'", '"*"', '"x,a"'])(
  'If-None-Match: %s does not name "a"',
  ifNoneMatch => {
    expect(namesTag(ifNoneMatch, '"a"')).toBe(false)
  },
)
