import { decideRollback, type FunctionVersions } from '../../infra/operate/rollback/decide-rollback.ts'
import { describeNext, explainUndeployable } from '../../infra/operate/rollback/describe-next.ts'

type State = Partial<Pick<FunctionVersions, 'liveVersion' | 'weights' | 'stackVersion'>>

/** The versions 1, 2 and so on have these releases. A dot stands for a version without a release. */
const functionWith = (releases: string, state: State = {}, functionName = 'f'): FunctionVersions => {
  const names = releases.split(' ').map(name => (name === '.' ? undefined : name))
  return {
    functionName,
    versions: names.map((release, index) => ({
      ...{ number: String(index + 1), published: '2026-11-23T12:00:00.000+0000', tableName: 'events' },
      ...(release && { release, version: '1.0.0+without-git' }),
      ...(index > 0 && { after: names[index - 1] ?? '' }),
    })),
    liveVersion: String(names.length),
    weights: {},
    stackVersion: String(names.length),
    ...state,
  }
}

const decide = (functions: FunctionVersions[], to?: string, status = 'UPDATE_COMPLETE') =>
  decideRollback(functions, { to, status })
const liveIs = (liveVersion: string) => ({ liveVersion })
const shifting = { liveVersion: '1', weights: { '2': 0.1 } }

test.each<[string, FunctionVersions[], string | undefined, string[]]>([
  ['one release for all', [functionWith('a b', liveIs('1')), functionWith('a b')], undefined, ['1', '1']],
  ['the release of a name', [functionWith('a b c'), functionWith('. a b c')], 'a', ['1', '2']],
  ['the release of a version', [functionWith('a b c'), functionWith('a b c')], '2', ['2', '2']],
])('a rollback leads to %s', (_, functions, to, expected) => {
  expect(decide(functions, to).map(move => move.to.number)).toEqual(expected)
})

test('an alias that has weights is not done, wherever it leads', () => {
  const moves = decide([functionWith('a b', shifting), functionWith('a b', liveIs('1'))])

  expect(moves.map(({ isDone }) => isDone)).toEqual([false, true])
})

const RELEASES =
  'Choose one of these releases, and specify it with --to:\n  a (f 1), 1.0.0+without-git, published 2026-11-23T12:00 UTC'

test.each<[string, FunctionVersions[], string | undefined, string]>([
  ['there is none before', [functionWith('a')], undefined, 'check out the previous commit, and deploy it'],
  ['versions have no names', [functionWith('. .')], undefined, 'No release is known'],
  [
    'a function lacks it',
    [functionWith('a b'), functionWith('b', {}, 'g')],
    'a',
    `--to must name one release that has served all traffic and has not been rolled back since, but a does not.\n${RELEASES}`,
  ],
  ['a number is ambiguous', [functionWith('a b c'), functionWith('x a b', {}, 'g')], '2', 'but 2 does not'],
  ['the newest release is named, which may not have served', [functionWith('a b', shifting)], 'b', RELEASES],
])('a rollback says which releases there are where %s', (_, functions, to, problem) => {
  expect(() => decide(functions, to)).toThrow(problem)
})

test('nothing leads to the version of a stack that is being updated', () => {
  const functions = [functionWith('a b', shifting)]

  expect(() => decide(functions, 'stack', 'UPDATE_IN_PROGRESS')).toThrow(
    /may not have served all traffic yet: wait until the update has finished$/,
  )
  expect(decide(functions, 'stack', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')).toHaveLength(1)
})

const NAME = 'blockchain-events-prod'
const stack = { stackName: NAME, stage: 'prod', region: undefined, isAsStack: false, stopped: 1 }

test.each([
  ['UPDATE_IN_PROGRESS', `aws cloudformation wait stack-rollback-complete --stack-name ${NAME}`],
  ['UPDATE_ROLLBACK_IN_PROGRESS', `aws cloudformation wait stack-rollback-complete --stack-name ${NAME}`],
  ['UPDATE_ROLLBACK_FAILED', `aws cloudformation continue-update-rollback --stack-name ${NAME}`],
  ['UPDATE_COMPLETE', 'npm run rollback -- --stage prod --to stack'],
  ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', 'npm run deploy -- --stage prod'],
])('after a rollback, a stack that is %s has a next step', (status, step) => {
  expect(describeNext(status, stack)).toContain(step)
  expect(describeNext(status, { ...stack, region: 'eu-north-1' })).toContain(`${step} --region eu-north-1`)
})

test.each([
  ['no shift has stopped', 'UPDATE_IN_PROGRESS', { stopped: 0 }, 'cancel-update-stack'],
  ['the stack has the version, too', 'UPDATE_ROLLBACK_COMPLETE', { isAsStack: true }, 'nothing is left'],
])('the next step is another one where %s', (_, status, changes, step) => {
  expect(describeNext(status, { ...stack, ...changes })).toContain(step)
})

test('a restore refuses a stack that is being updated or cannot be updated, before it writes settings', () => {
  const explain = (status: string) => explainUndeployable(status, stack)
  expect(explain('UPDATE_ROLLBACK_FAILED')).toContain(`continue-update-rollback --stack-name ${NAME}`)
  expect(explain('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')).toContain('wait until the update has finished')
  expect(explain('UPDATE_ROLLBACK_COMPLETE')).toBeUndefined()
})
