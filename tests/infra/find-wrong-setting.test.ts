import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runbookAt } from '../../infra/deploy/ask-git.ts'
import { findWrongSetting } from '../../infra/deploy/find-wrong-setting.ts'
import type { Serverless } from '../../infra/deploy/framework.ts'
import refuseWrongSettings, { findUnwatched } from '../../infra/deploy/refuse-wrong-settings.ts'
import { plainSettings } from '../support/programs/plain-settings.ts'
import { runCommand } from '../support/programs/run-command.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const settings = plainSettings()
const { dev } = settings

const wrongIn = (values: Record<string, unknown>) =>
  findWrongSetting({ settings: { ...settings, dev: { ...dev, ...values } }, stage: 'dev' })

test.each(['dev', 'staging', 'prod', 'dev2', 'pr-17', 'dan', 'demo', 'test', 'qa'])(
  'finds nothing wrong with the settings of %s',
  stage => {
    expect(findWrongSetting({ settings, stage, given: ['switchOff=AlarmTopic'] })).toBeUndefined()
  },
)

test.each([
  [{ alarmEmial: 'ops@example.org' }, 'there is no setting "alarmEmial"; did you mean "alarmEmail"?'],
  [{ nosuch: 1 }, 'there is no setting "nosuch"'],
  [{ alarmEmail: 'ops' }, 'alarmEmail must be an e-mail address, not "ops"'],
  [{ indexEnabled: 'yes' }, 'indexEnabled must be true or false, not "yes"'],
  [{ requestsPerSecond: '100' }, 'requestsPerSecond must be a whole number, not "100"'],
  [{ reservedConcurrency: -1 }, 'reservedConcurrency must be 0 or more, not -1'],
  [{ access: 'token' }, 'access must be public, iam or jwt, not "token"'],
  [{ tableDeletionPolicy: 'Keep' }, 'tableDeletionPolicy must be Retain or Delete, not "Keep"'],
  [{ indexConfigParameter: 'index' }, 'indexConfigParameter must be the name of an SSM parameter, such as /'],
  [{ customDomain: 'a.example' }, 'customDomain and customDomainCertificateArn must be set together'],
  [{ defaultEndpoint: false }, 'defaultEndpoint: false requires customDomain'],
  [{ tableDeletionProtection: true }, 'tableDeletionProtection requires tableDeletionPolicy: Retain'],
  [{ access: 'jwt' }, 'access: jwt requires jwtIssuer and at least one jwtAudience'],
  [{ tableAdopted: true, importBucket: 'files' }, 'tableAdopted and importBucket must not both be set'],
  [{ runbook: 'wiki/operations' }, 'runbook must be an address, such as https://'],
  [
    { monthlyBudget: 1 },
    'monthlyBudget requires a receiver of its notifications: set alarmEmail or alarmTop',
  ],
])('refuses %j', (values, problem) => {
  expect(wrongIn(values)).toContain(`infra/deploy/settings/dev.yml: ${problem}`)
})

describe('a deployment', () => {
  const WATCHED = { alarmEmail: 'ops@a.example', monthlyBudget: 200, runbook: 'https://wiki.example/ops' }
  const unwatched = (values: Record<string, unknown>, stage = 'prod') => {
    const { [stage]: ofStage } = settings
    return findUnwatched({ ...settings, [stage]: { ...ofStage, ...values } }, stage)
  }

  test.each([
    ['alarmEmail or alarmTopicArn (the receiver of alarms)', { ...WATCHED, alarmEmail: '' }],
    ['monthlyBudget (US dollars)', { ...WATCHED, monthlyBudget: 0 }],
    ['runbook (the address that alarms link to)', { ...WATCHED, runbook: 'infra/runbook.md' }],
    [
      'alarmEmail or alarmTopicArn (the receiver of alarms), monthlyBudget (US dollars), runbook (the address that alarms link to)',
      {},
    ],
  ])('of a stage that keeps its table needs %s', (missing, values) => {
    expect(unwatched(values)).toBe(
      `infra/deploy/settings/prod.yml: a stage that keeps its table needs ${missing}. If nobody needs to be notified, write "unwatched: true"`,
    )
  })

  test.each([
    ['has all of it', WATCHED, 'prod'],
    ['tells a topic that exists', { ...WATCHED, alarmEmail: '', alarmTopicArn: 'arn:aws:sns:r:1:a' }, 'prod'],
    ['says that nobody has to notice', { unwatched: true }, 'prod'],
    ['deletes its table with the stack', {}, 'dev'],
    ['has no file', {}, 'pr-17'],
  ])('goes on where the stage %s', (_, values, stage) => {
    expect(unwatched(values, stage)).toBeUndefined()
  })
})

const RUNBOOK = 'https://github.com/our-org/our-repository/blob/HEAD/infra/runbook.md'

test.each([
  ['https://github.com/our-org/our-repository.git', RUNBOOK],
  ['https://github.com/our-org/our-repository', RUNBOOK],
  ['https://somebody:secret@github.com/our-org/our-repository.git', RUNBOOK],
  ['git@github.com:our-org/our-repository.git', RUNBOOK],
  ['ssh://git@github.com:22/our-org/our-repository.git', RUNBOOK],
  ['', undefined],
  ['/srv/repository.git', undefined],
  ['../elsewhere', undefined],
  ['file:///srv/repository.git', undefined],
])('the runbook of a clone of "%s" has the address %s', (remote, address) => {
  expect(runbookAt(remote)).toBe(address)
})

test.each([
  [
    'a setting without valid values',
    { default: { ...settings.default, newSetting: true } },
    /^infra\/deploy\/settings-schema.ts must say which values of newSetting are valid$/,
  ],
  [
    'a stage that does not say what becomes of its table',
    { dev: { alarmEmail: 'a@b.c' } },
    /^infra\/deploy\/settings\/dev\.yml must say what happens to the table.*DeletionPolicy: Retain/,
  ],
])('refuses %s', (_, changes, problem) => {
  expect(findWrongSetting({ settings: { ...settings, ...changes }, stage: 'dev' })).toMatch(problem)
})

test.each([
  [
    'alarmEmail=ops@example.org',
    'Settings must be in files, so that the next deployment also has them: write "alarmEmail: ops@example.org" into infra/deploy/settings/dev.yml',
  ],
  [
    'switchof=A',
    '--param accepts only switchOff, remove, atOnce (settings must be in files), not "switchof"; did you mean "switchOff"?',
  ],
  [
    'switchOff=',
    'switchOff must be the names that the refused deployment printed: --param "switchOff=NAME,NAME"',
  ],
  ['remove', 'remove must be the stage to remove: --param "remove=STAGE"'],
  ['atOnce=yes', 'atOnce must be true: --param "atOnce=true"'],
])('refuses --param %s', (given, problem) => {
  expect(findWrongSetting({ settings, stage: 'dev', given: ['switchOff=AlarmTopic', given] })).toBe(problem)
})

test.each([
  ['pord', 'prod'],
  ['Prod', 'prod'],
  ['produ', 'prod'],
  ['stagin', 'staging'],
  ['devv', 'dev'],
])('refuses the stage %s, which is nearly %s', (stage, likely) => {
  expect(findWrongSetting({ settings, stage })).toBe(
    `There is no stage "${stage}"; did you mean "${likely}"? If not, create the file infra/deploy/settings/${stage}.yml`,
  )
})

test.each(['package', 'deploy', 'remove'])('refuses to %s the stage of npm start', command => {
  const input = { processedInput: { commands: [command] }, configurationInput: { params: settings } }
  const serverless = { ...input, classes: { Error } } as unknown as Serverless

  expect(() => refuseWrongSettings(serverless, { stage: 'local' })).toThrow('choose another stage')
})

describe('settings in a folder of their own', () => {
  const folder = useFolder()
  test.each([
    [
      'prod.yml',
      'alarmEmial: a@b.c',
      '',
      /\/prod.yml: there is no setting "alarmEmial"; did you mean "alarm/,
    ],
    ['qa.yml', 'alarmEmail: [', 'elsewhere', /EVENTS_SETTINGS_FOLDER must name an existing folder, but/],
    ['qa.yml', 'alarmEmail: [', '', /Can't read the settings in/],
    ['qa.yaml', 'alarmEmail: [', '', /qa.yaml must be named qa.yml/],
  ])('go before those of this repository, and %s with %s is refused', async (name, text, within, problem) => {
    const stage = path.parse(name).name
    await writeFile(path.join(folder, name), text)
    const options = ['--package', path.join(folder, 'never'), '--stage', stage]
    const env = { EVENTS_SETTINGS_FOLDER: path.join(folder, within) }
    const { code, output } = await runCommand('package', options, { env })
    await rm(path.join(folder, name))

    expect(code).toBe(1)
    expect(output).toMatch(problem)
    expect(output).not.toMatch(/^ +at /m)
  })
})
