/** `npm run smoke`: checks a running service from outside, wherever it is. */
import { styleText } from 'node:util'
import { InvalidArgumentError } from 'commander'
import { type AuthorizeOptions, authorizeBy, withAuthorizeOptions } from './shared/authorize-by.ts'
import { counted } from './shared/counted.ts'
import { createCommand } from './shared/create-command.ts'
import { explainAbsence } from './shared/explain-absence.ts'
import { parseUrl } from './shared/parse-options.ts'
import { type CheckResult, runChecks } from './smoke/run-checks.ts'

const DEFAULT_TIMEOUT_SECONDS = 15
const NAME_WIDTH = 44
const MS_WIDTH = 7

const HELP = `
The exit code is 0 when everything is as it should be.

Examples:
  npm run smoke -- https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com
  npm run smoke -- http://127.0.0.1:3000
  npm run smoke -- --token "$TOKEN" https://events.example.org`

interface SmokeOptions extends AuthorizeOptions {
  timeout: number
}

await withAuthorizeOptions(createCommand('smoke'))
  .description('Asks a service real queries: checks status, schema, order, paging and error answers.')
  .argument('<url>', 'the address of the service, without /v1', parseUrl)
  .option('--timeout <seconds>', 'for each request', parseSeconds, DEFAULT_TIMEOUT_SECONDS)
  .addHelpText('after', HELP)
  .action(smoke)
  .parseAsync()

async function smoke(url: string, { timeout, ...caller }: SmokeOptions) {
  const options = { timeoutMs: timeout * 1000, authorize: await authorizeBy(caller) }
  const absence = await explainAbsence(url, options)
  if (absence !== undefined) {
    console.error(absence)
    process.exitCode = 1
    return
  }
  let failed = 0
  let passed = 0
  for await (const result of runChecks(url, options)) {
    console.log(lineOf(result))
    if (result.passed) passed += 1
    else failed += 1
  }
  const checks = counted(passed + failed, 'check')
  console.log(failed === 0 ? `\n${checks} passed` : `\n${failed} of ${checks} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function lineOf({ passed, name, found, durationMs }: CheckResult): string {
  const mark = passed ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  return `${mark} ${name.padEnd(NAME_WIDTH)} ${durationMs.toFixed(0).padStart(MS_WIDTH)} ms  ${found}`
}

function parseSeconds(value: string): number {
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It is a whole number of seconds, from 1 to 999.')
}
