import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { findWrongSetting } from '../../infra/deploy/find-wrong-setting.ts'
import { writeSettings } from '../../infra/deploy/read-settings.ts'
import { decideStep, type Step, type TableState } from '../../infra/operate/restore/decide-step.ts'
import { plainSettings } from '../support/programs/plain-settings.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const stage = (changes: Partial<TableState> = {}): TableState => ({
  ...{ stage: 'prod', used: 'one', covered: ['one'], live: ['one'], own: 'one', isOwnRetained: true },
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

test.each([
  ['from the table of the stack to a restored one', stage(), 'two'],
  ['from one adopted table to another', stage({ own: undefined }), 'two'],
])('a stage goes %s in three steps', (_, state, target) => {
  expect(walk(state, target)).toEqual(['cover', 'move', 'leave', 'done'])
})

test('a stage goes back before its old table has left the stack, and stays owned', () => {
  const moved = stage({ used: 'two', covered: ['one', 'two'], live: ['two'] })
  const back = decideStep(moved, 'one')

  expect(walk(moved, 'one')).toEqual(['move', 'leave', 'done'])
  expect(back.settings).toEqual({ tableName: 'one', tableAdopted: false, otherTable: 'two' })
})

test('a stage that has changed its mind before it moved forgets the other table', () => {
  expect(walk(stage({ covered: ['one', 'two'] }), 'one')).toEqual(['leave', 'done'])
})

test('the stack keeps its table while the roles cover both, and names what leaves it then', () => {
  const move = decideStep(stage({ covered: ['one', 'two'] }), 'two')
  const leave = decideStep(stage({ used: 'two', covered: ['one', 'two'], live: ['two'] }), 'two')

  const settings = { otherTable: 'one', otherTableInStack: true }
  expect(move).toMatchObject({ settings, switchOff: ['EVENTS_TABLE'] })
  expect(leave).toMatchObject({
    does: expect.stringContaining('one no longer belongs to the stack'),
    switchOff: ['EventsTable'],
  })
})

test('a step that would delete the old table leaves it to the operator to permit the loss', () => {
  const moved = stage({ used: 'two', covered: ['one', 'two'], live: ['two'], isOwnRetained: false })

  expect(decideStep(moved, 'two')).toMatchObject({
    does: expect.stringContaining('so this step deletes it with all its events'),
    switchOff: ['EventsTable'],
    deletesTable: true,
  })
})

test.each([
  [
    'another move is under way',
    stage({ used: 'two', covered: ['one', 'two'], live: ['two'] }),
    'three',
    /from one to two\. Finish this move first: npm run restore -- --stage prod --table two$/,
  ],
  [
    'a rollback has led traffic back to the old table',
    stage({ used: 'two', covered: ['one', 'two'], live: ['two', 'one'] }),
    'two',
    /Versions that read one still receive traffic\. To shift this traffic to the stack's versions: npm run rollback -- --stage prod --to stack\. Or, .* --stage prod --table one$/,
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
