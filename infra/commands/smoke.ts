/** `npm run smoke`: checks a running service from outside. */
import { styleText } from 'node:util'
import { createCommand } from '../../lib/kit/create-command.ts'
import { explainAbsence } from '../../lib/kit/explain-absence.ts'
import { parseServiceUrl, parseStage, wholeNumber } from '../../lib/kit/parse-options.ts'
import { counted } from '../../lib/kit/printable.ts'
import { type AuthorizeOptions, authorizeBy, withAuthorizeOptions } from '../../lib/kit/service-options.ts'
import { type Check, type CheckResult, runCheck, serviceAt } from '../operate/smoke/service.ts'
import { SERVICE_CHECKS } from '../operate/smoke/service-checks.ts'

const DEFAULT_TIMEOUT_SECONDS = 15
const NAME_WIDTH = 44
const parseSeconds = wholeNumber(/^[1-9]\d{0,2}$/, 'seconds, from 1 to 999')
const MS_WIDTH = 7

const HELP = `
The exit code is 0 if every check passes.

Examples:
  npm run smoke -- https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com
  npm run smoke -- http://127.0.0.1:3000
  npm run smoke -- --token "$TOKEN" https://events.example.org
  npm run smoke -- --stage prod https://events.example.org`

await withAuthorizeOptions(createCommand('smoke'))
  .description(
    'Sends real requests to a service, and checks that its functions, indexes and routes work as they should.',
  )
  .argument('<url>', 'the address of the service, without /v1', parseServiceUrl)
  .option('--timeout <seconds>', 'timeout of each request', parseSeconds, DEFAULT_TIMEOUT_SECONDS)
  .option(
    '--stage <name>',
    "also check, in this shell's AWS account, whether anyone receives this stage's alarms",
    parseStage,
  )
  .addHelpText('after', HELP)
  .action(smoke)
  .parseAsync()

async function smoke(
  url: string,
  { timeout, stage, ...caller }: AuthorizeOptions & { timeout: number; stage?: string },
) {
  const options = { timeoutMs: timeout * 1000, authorize: await authorizeBy(caller) }
  const absence = await explainAbsence(url, options)
  if (absence !== undefined) {
    console.error(absence)
    process.exitCode = 1
    return
  }
  let failed = 0
  const service = serviceAt(url, options)
  const checks: Check[] = [...SERVICE_CHECKS]
  // The AWS clients are loaded only for this check, because an installation without development tools lacks them.
  if (stage !== undefined) checks.push((await import('../operate/smoke/alarm-check.ts')).alarmCheck(stage))
  for (const check of checks) {
    const result = await runCheck(check, service)
    console.log(lineOf(result))
    if (!result.passed) failed += 1
  }
  const count = counted(checks.length, 'check')
  console.log(failed === 0 ? `\n${count} passed` : `\n${failed} of ${count} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function lineOf({ passed, name, found, durationMs }: CheckResult): string {
  const mark = passed ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  return `${mark} ${name.padEnd(NAME_WIDTH)} ${durationMs.toFixed(0).padStart(MS_WIDTH)} ms  ${found}`
}
