import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { findWrongSetting } from '../../infra/deploy/find-wrong-setting.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
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
  const args = ['infra/commands/package.ts', '--package', '.local/never', '--param', 'indexEnable=true']
  const { code, stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(
    error => error,
  )

  expect(code).toBe(1)
  expect(stdout).toContain('did you mean "indexEnabled"?')
  expect(stdout).not.toMatch(/^ +at /m)
}, 60_000)
