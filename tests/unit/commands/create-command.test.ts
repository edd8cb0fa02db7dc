import { spawnSync } from 'node:child_process'

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
