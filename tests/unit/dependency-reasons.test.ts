import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

test.each(['package.json', 'tests/package.json'])(
  'CONTRIBUTING gives a reason for every dependency of %s',
  file => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(file))
    const [, table = ''] = /^## Dependencies$(.*)/ms.exec(read('CONTRIBUTING.md')) ?? []
    const rows = table.split('\n').filter(line => line.startsWith('|'))
    const names = new Set(rows.flatMap(row => row.split('|')[1]?.match(/`[^`]+`/g) ?? []))

    const unexplained = Object.keys({ ...dependencies, ...devDependencies }).filter(
      name => !names.has(`\`${name}\``),
    )
    expect(unexplained).toEqual([])
    expect(names.size).toBeGreaterThan(50)
  },
)
