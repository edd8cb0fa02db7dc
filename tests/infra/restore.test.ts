import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { findWrongSetting } from '../../infra/deploy/find-wrong-setting.ts'
import { writeSettings } from '../../infra/deploy/read-settings.ts'
import { decideStep, type Step, type TableState } from '../../infra/operate/restore/decide-step.ts'
import { plainSettings } from '../support/programs/plain-settings.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const stage = (changes: Partial<TableState> = {}): TableState => ({
  ...{ used: 'one', covered: ['one'], live: ['one'], own: 'one', isOwnRetained: true },
  ...changes,
})

function deployed(before: TableState, { name, settings }: Step): TableState {
  const other = settings.otherTable as string | undefined
  const used = (settings.tableName as string | undefined) ?? before.used
  const covered = other === undefined ? [used] : [used, other]
  const isOwnLeft = name === 'leave' && before.own !== undefined && before.own !== used
  return { ...before, used, covered, live: [used], own: isOwnLeft ? undefined : before.own }
}

function walk(state: TableState, target: string): string[] {
  const step = decideStep(state, target)
  return step.name === 'done' ? ['done'] : [step.name, ...walk(deployed(state, step), target)]
}

const covering = stage({ covered: ['one', 'two'] })
const moved = stage({ used: 'two', covered: ['one', 'two'], live: ['two'] })

test.each([
  ['from the table of the stack to a restored one', stage(), 'two', ['cover', 'move', 'leave']],
  ['from one adopted table to another', stage({ own: undefined }), 'two', ['cover', 'move', 'leave']],
  ['back before its old table has left the stack', moved, 'one', ['move', 'leave']],
  ['nowhere if it changes its mind before it moves', covering, 'one', ['leave']],
])('a stage goes %s in these steps', (_, state, target, steps) => {
  expect(walk(state, target)).toEqual([...steps, 'done'])
})

test('the stack keeps its table while the roles cover both, and names what leaves it then', () => {
  const kept = { otherTable: 'one', otherTableInStack: true }
  const owned = { tableName: 'one', tableAdopted: false, otherTable: 'two' }
  const does = expect.stringContaining('one no longer belongs to the stack')

  expect(decideStep(covering, 'two')).toMatchObject({ settings: kept, switchOff: ['EVENTS_TABLE'] })
  expect(decideStep(moved, 'two')).toMatchObject({ does, switchOff: ['EventsTable'] })
  expect(decideStep(moved, 'one').settings).toEqual(owned)
})

test('a step that would delete the old table leaves it to the operator to permit the loss', () => {
  const does = expect.stringContaining('so this step deletes it with all its events')
  const loss = { does, switchOff: ['EventsTable'], deletesTable: true }

  expect(decideStep({ ...moved, isOwnRetained: false }, 'two')).toMatchObject(loss)
})

test.each([
  [
    'another move is under way',
    moved,
    'three',
    /from one to two\. To finish this move first, run this command with --table two$/,
  ],
  [
    'a rollback has led traffic back to the old table',
    { ...moved, live: ['two', 'one'] },
    'two',
    /Versions that read one still receive traffic\. To shift this traffic to the stack's versions, run npm run rollback for this stage, with --to stack\. Or, .* --table one$/,
  ],
])('no step is taken where %s', (_, state, target, problem) => {
  expect(() => decideStep(state, target)).toThrow(problem)
})

const folder = useFolder()

test('every step writes settings that are valid, and keeps what stands beside them', async () => {
  const file = path.join(folder, 'prod.yml')
  await writeFile(file, '# Ours\ntableDeletionPolicy: Retain\nalarmEmail: ops@example.org # at night, too\n')
  const { default: defaults = {} } = plainSettings()
  const wrong: unknown[] = []
  let state = stage()
  for (const _ of ['cover', 'move', 'leave']) {
    const step = decideStep(state, 'two')
    writeSettings(file, { settings: step.settings, tableDeletionPolicy: 'Retain' })
    const settings = { default: { ...defaults, tableName: 'one' }, prod: parse(await readFile(file, 'utf8')) }
    wrong.push(findWrongSetting({ settings, stage: 'prod' }))
    state = deployed(state, step)
  }
  const written = await readFile(file, 'utf8')

  expect(wrong).toEqual([undefined, undefined, undefined])
  expect(written).toBe(
    '# Ours\ntableDeletionPolicy: Retain\nalarmEmail: ops@example.org # at night, too\ntableName: two\ntableAdopted: true\n',
  )
})
