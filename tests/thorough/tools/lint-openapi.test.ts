import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../../..')

test('a strict linter finds nothing to warn of in the OpenAPI document', async () => {
  const redocly = path.join(ROOT, 'tests/node_modules/@redocly/cli/bin/cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, 'lint', '--format=json'], {
    cwd: ROOT,
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })

  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ totals: { errors: 0, warnings: 0 } })
})
