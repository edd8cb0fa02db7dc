import { decideRollback, type FunctionVersions } from '../../infra/operate/rollback/decide-rollback.ts'
import { nextStep } from '../../infra/operate/rollback/describe-next.ts'

type State = Partial<Pick<FunctionVersions, 'liveVersion' | 'weights' | 'stackVersion'>>

/** A function whose versions 1, 2 and so on have these releases. A dot stands for a version without a release. */
const functionWith = (releases: string, state: State = {}, functionName = 'f'): FunctionVersions => ({
  functionName,
  versions: releases.split(' ').map((release, index) => ({
    version: String(index + 1),
    release: release === '.' ? undefined : release,
    tableName: 'events',
  })),
  liveVersion: String(releases.split(' ').length),
  weights: {},
  stackVersion: String(releases.split(' ').length),
  ...state,
})

const targets = (functions: FunctionVersions[], to?: string) =>
  decideRollback(functions, to).map(move => move.to.version)

test.each<[string, FunctionVersions[], string | undefined, string[]]>([
  ['the release before the live one', [functionWith('a b'), functionWith('. a b')], undefined, ['1', '2']],
  [
    'the release that has most of the traffic, where a shift is under way',
    [
      functionWith('a b', { liveVersion: '1', weights: { '2': 0.1 } }),
      functionWith('a b', { liveVersion: '1', weights: { '2': 0.1 } }),
    ],
    undefined,
    ['1', '1'],
  ],
  [
    'one release for all, where one shift has ended before the others',
    [functionWith('a b', { liveVersion: '1' }), functionWith('a b')],
    undefined,
    ['1', '1'],
  ],
  [
    'the version before, where versions have no names',
    [functionWith('. .'), functionWith('. . .')],
    undefined,
    ['1', '2'],
  ],
  [
    'the last version without a name before the first name',
    [functionWith('. a'), functionWith('. . a')],
    undefined,
    ['1', '2'],
  ],
  [
    'another release than the live one, where it was published twice',
    [functionWith('a b b')],
    undefined,
    ['1'],
  ],
  [
    'the live release, where all traffic is back already',
    [functionWith('a b c', { liveVersion: '2' }), functionWith('. a b c', { liveVersion: '3' })],
    undefined,
    ['2', '3'],
  ],
  ['the release of a name', [functionWith('a b c'), functionWith('. a b c')], 'a', ['1', '2']],
  ['the version of a number', [functionWith('a b c'), functionWith('a b c')], '2', ['2', '2']],
  [
    'the version that the stack has',
    [functionWith('a b', { liveVersion: '1' }), functionWith('. a b', { liveVersion: '2' })],
    'stack',
    ['2', '3'],
  ],
])('a rollback leads to %s', (_, functions, to, expected) => {
  expect(targets(functions, to)).toEqual(expected)
})

test('an alias that has weights is not done, wherever it leads', () => {
  const shifting = functionWith('a b', { liveVersion: '1', weights: { '2': 0.1 } })

  expect(decideRollback([shifting]).map(({ isDone }) => isDone)).toEqual([false])
  expect(
    decideRollback([functionWith('a b', { liveVersion: '1' })], '1').map(({ isDone }) => isDone),
  ).toEqual([true])
})

test.each<[string, FunctionVersions[], string | undefined, RegExp]>([
  [
    'there is none before',
    [functionWith('a')],
    undefined,
    /^f has no version before\.\n {2}f 1, release a, live$/,
  ],
  ['a function lacks it', [functionWith('a b'), functionWith('b', {}, 'g')], 'a', /^g has no version a\.\n/],
  [
    'a number means several releases',
    [functionWith('a b'), functionWith('x a b', {}, 'g')],
    '2',
    /^2 is not one release\.\n/,
  ],
])('a rollback says which versions there are where %s', (_, functions, to, problem) => {
  expect(() => decideRollback(functions, to)).toThrow(problem)
})

const stack = { stackName: 'blockchain-events-prod', stage: 'prod', region: undefined, isAsStack: false }

test.each([
  [
    'UPDATE_IN_PROGRESS',
    'aws cloudformation wait stack-rollback-complete --stack-name blockchain-events-prod',
  ],
  [
    'UPDATE_ROLLBACK_IN_PROGRESS',
    'aws cloudformation wait stack-rollback-complete --stack-name blockchain-events-prod',
  ],
  [
    'UPDATE_ROLLBACK_FAILED',
    'aws cloudformation continue-update-rollback --stack-name blockchain-events-prod',
  ],
  ['UPDATE_COMPLETE', 'npm run rollback -- --stage prod --to stack'],
  ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'npm run deploy -- --stage prod'],
])('after a rollback, a stack that is %s has a next step', (status, step) => {
  expect(nextStep(status, stack)).toContain(step)
  expect(nextStep(status, { ...stack, region: 'eu-north-1' })).toContain(`${step} --region eu-north-1`)
})

test('nothing is left to do where the stack has the version, too', () => {
  expect(nextStep('UPDATE_ROLLBACK_COMPLETE', { ...stack, isAsStack: true })).toMatch(/nothing is left to do/)
})
