import { findTableMove } from '../../infra/deploy/find-switched-off.ts'
import { findDenied, whyAtOnce } from '../../infra/deploy/move-at-once.ts'
import type { LiveVersion } from '../../infra/deploy/read-deployed.ts'
import type { Template } from '../../infra/deploy/template.ts'

const ROLES = ['UserEventsRole', 'TokenEventsRole', 'ChangesRole', 'StatusRole', 'IndexChainRole']

type Stage = { used: string; covered?: string[]; shifts?: boolean }

const roleFor = (tables: string[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Resource: tables.map(table => `arn:aws:dynamodb:::table/${table}/index/byUser`) },
})

/** The functions use the table `used`, and their roles allow access to the tables `covered`. */
const templateOf = ({ used, covered = [used], shifts = true }: Stage): Template => ({
  Resources: {
    UserEventsLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { Variables: { EVENTS_TABLE: used } }, Code: { S3Key: used } },
    },
    ...Object.fromEntries(ROLES.map(name => [name, roleFor(covered)])),
    UserEventsLiveAlias: {
      Type: 'AWS::Lambda::Alias',
      ...(shifts && { UpdatePolicy: { CodeDeployLambdaAliasUpdate: {} } }),
    },
  },
})

const one = templateOf({ used: 'one' })
const oneOfBoth = templateOf({ used: 'one', covered: ['one', 'two'] })
const twoOfBoth = templateOf({ used: 'two', covered: ['one', 'two'] })
const two = templateOf({ used: 'two' })
const DENIED = 'functions that still read one would be denied access'

test.each([
  ['the old table is left in the same update', oneOfBoth, two, DENIED],
  ['the new table was not covered before', one, twoOfBoth, 'the roles do not give access to two yet'],
])('a move is refused where %s', (_, deployed, next, reason) => {
  const [found] = findTableMove(deployed, next)

  expect(found).toEqual({ name: 'TABLE_RIGHTS', becomes: expect.stringContaining(reason) })
  expect(found?.becomes).toContain('run npm run restore for this stage, with --table two')
  expect(findTableMove({ Resources: {} }, next)).toEqual([])
})

const withoutShift = templateOf({ used: 'one', shifts: false })
const live = (changes: Partial<LiveVersion> = {}): LiveVersion => ({
  ...{ functionName: 'f', stackVersion: '2', liveVersion: '2', weights: {}, tableName: 'one' },
  ...changes,
})

test.each([
  ['a code change is shifted step by step', {}, undefined],
  ['so it is where the stack knows no version', { live: [live({ stackVersion: undefined })] }, undefined],
  [
    'a change of the table moves all traffic',
    { deployed: oneOfBoth, next: twoOfBoth },
    'the table changes from one to two',
  ],
  [
    'so does a deployment after a rollback',
    { live: [live(), live({ functionName: 'g', liveVersion: '1' })] },
    "g was shifted back from the stack's version 2 to version 1",
  ],
  ['so does one that is asked to', { isAsked: true }, '--param "atOnce=true" requests it'],
  ['nothing is said where nothing is shifted', { next: withoutShift, isAsked: true }, undefined],
])('%s', (_, update, reason) => {
  const usual = { deployed: one, next: one, live: [live()], isAsked: false }
  expect(whyAtOnce({ ...usual, ...update })).toBe(reason)
})

test('a version that is live keeps its table', () => {
  expect(findDenied([live()], oneOfBoth)).toBeUndefined()
  expect(findDenied([live({ tableName: undefined })], two)).toBeUndefined()
  expect(findDenied([live({ liveVersion: '1' })], two)).toMatch(
    /^The live version 1 of f reads one, to which the roles would no longer give access/,
  )
})
