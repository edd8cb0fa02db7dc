import { spawnSync } from 'node:child_process'
import { createCommand } from '../../../lib/kit/create-command.ts'
import { networksOption } from '../../../lib/kit/networks-option.ts'

/** Runs a script of package.json with words as a user types them. */
const runScript = (words: string[]) => spawnSync('npm', ['run', '-s', ...words], { encoding: 'utf8' })

test.each([
  ['verify', ['--table=events']],
  ['verify', ['--table', 'events']],
])('npm run %s %s is refused, because npm keeps options that are not behind --', (script, options) => {
  const { status, stderr } = runScript([script, ...options])

  expect(stderr.split('\n')).toContain(
    'error: npm has kept --table for itself: write -- before the options, as in npm run verify -- --table …',
  )
  expect(status).toBe(1)
})

test.each([
  [['a', ' '], "error: argument 'file' must not be empty: files of logs"],
  [['a', '--table', ''], "error: option '--table <name>' must not be empty: the table to write to"],
  [['a', '--networks', ''], 'is invalid. It must be all, or names separated by commas.'],
])('the words %j are refused, because one of them is empty', async (words, reason) => {
  const command = createCommand('load', { required: ['table'] })
    .argument('<file...>', 'files of logs')
    .option('--table <name>', 'the table to write to')
    .addOption(networksOption())
    .action(() => undefined)
    .configureOutput({ writeErr: () => undefined })
    .exitOverride()

  await expect(command.parseAsync(words, { from: 'user' })).rejects.toThrow(reason)
})
