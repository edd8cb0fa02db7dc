import { findWrongSetting } from '../../infra/deploy/find-wrong-setting.ts'
import { runCommand } from '../support/programs/run-command.ts'

const params = {
  default: { indexEnabled: false, logLevel: 'INFO' },
  dev: {},
  staging: null,
  prod: { limit: 1 },
}

test.each([
  [
    'indexEnable=true',
    'There is no parameter "indexEnable" among the params of serverless.yml; did you mean "indexEnabled"?',
  ],
  ['nosuch=1', 'There is no parameter "nosuch" among the params of serverless.yml'],
  ['indexEnabled', 'The parameter "indexEnabled" has no value: --param "indexEnabled=…"'],
  ['indexEnabled=', 'The parameter "indexEnabled" has no value: --param "indexEnabled=…"'],
])('refuses the parameter %s', (given, problem) => {
  expect(findWrongSetting({ params, given: ['logLevel=DEBUG', given] })).toBe(problem)
})

test.each([
  ['pord', 'prod'],
  ['Prod', 'prod'],
  ['produ', 'prod'],
  ['stagin', 'staging'],
  ['devv', 'dev'],
])('refuses the stage %s, which is nearly %s', (stage, likely) => {
  expect(findWrongSetting({ params, stage })).toBe(
    `There is no stage "${stage}"; did you mean "${likely}"? If not, add "${stage}: {}" to the params of serverless.yml`,
  )
})

test.each(['dev', 'staging', 'prod', 'dev2', 'pr-17', 'dan', 'demo', 'test', 'qa'])(
  'takes the stage %s',
  stage => {
    expect(findWrongSetting({ params, stage, given: ['limit=2', 'logLevel=a=b'] })).toBeUndefined()
  },
)

test('nothing is packaged with a parameter that the service does not have', async () => {
  const args = ['--package', '.local/never', '--param', 'indexEnable=true']
  const { code, output } = await runCommand('package', args)

  expect(code).toBe(1)
  expect(output).toContain('did you mean "indexEnabled"?')
  expect(output).not.toMatch(/^ +at /m)
})
