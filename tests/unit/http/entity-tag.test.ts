import { namesTag } from '../../../lib/http/entity-tag.ts'

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
