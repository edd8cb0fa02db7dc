import { readFileSync } from 'node:fs'
import { PLANTED_DEFECTS } from '../../world/planted-defects.ts'

test.each(PLANTED_DEFECTS)(
  'the text that $name replaces is in its file once',
  ({ file, text, replacement }) => {
    expect(readFileSync(file, 'utf8').split(text)).toHaveLength(2)
    expect(replacement).not.toBe(text)
  },
)

test('no two planted defects share a name', () => {
  expect(new Set(PLANTED_DEFECTS.map(({ name }) => name)).size).toBe(PLANTED_DEFECTS.length)
})
