import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { locateFrames } from '../../infra/operate/locate/locate-frames.ts'
import { useVariant } from '../support/programs/stage-variants.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const packaged = useVariant('prod')

const folder = useFolder()

/** Starts a deployed function without its environment variables, which makes it fail. */
async function stackOfFailingStart(): Promise<string> {
  const file = path.join(folder, 'user-events.cjs')
  await writeFile(file, packaged.bundles['functions/user-events.cjs'] ?? '')
  const { stderr } = await promisify(execFile)(process.execPath, [file], { env: {} }).catch(error => error)
  // Above the stack trace, Node.js prints the failing source line, which is the whole bundle.
  const lines = (stderr as string).split('\n').filter(line => /^ +at /.test(line))
  return lines.join('\n').replaceAll(folder, '/var/task/functions')
}

test('the stack of a deployed function leads to the places in the source, and other text stays as it is', async () => {
  const text = 'at Module.load (node:internal/modules/cjs/loader:1651:32) functions/unknown.cjs:1:2'
  const stack = await stackOfFailingStart()
  const located = await locateFrames(`${stack}\n${text}`)

  expect(stack).not.toContain('.ts:')
  expect(located).toMatch(/\(lib\/http\/function-config\.ts:\d+:\d+\)/)
  expect(located).toMatch(/\(functions\/user-events\.ts:\d+:\d+\)/)
  expect(located).not.toContain('/var/task')
  expect(located.endsWith(`\n${text}`)).toBe(true)
})
