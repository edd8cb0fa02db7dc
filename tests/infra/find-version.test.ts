import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findVersion } from '../../infra/deploy/ask-git.ts'
import { useFolder } from '../support/runner/use-folder.ts'

const folder = useFolder()
beforeAll(() => writeFile(path.join(folder, 'package.json'), '{"version":"1.2.3"}'))

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-11-23T23:30:00+0000' },
    encoding: 'utf8',
  }).trim()

test('a version without git says so', async () => {
  expect(await findVersion(folder, { isDeployed: true })).toBe('1.2.3+without-git')
})

test('a version has the date and the name of the commit, and says so if files differ from it', async () => {
  git('init', '--quiet')
  git('add', 'package.json')
  git('commit', '--quiet', '--message', 'One')
  const commit = git('rev-parse', '--short=12', 'HEAD')
  await writeFile(path.join(folder, 'untracked'), '')

  expect(await findVersion(folder, { isDeployed: true })).toBe(`1.2.3+2026-11-23.${commit}`)
  await writeFile(path.join(folder, 'package.json'), '{"version":"1.2.4"}')
  expect(await findVersion(folder, { isDeployed: true })).toBe(`1.2.4+2026-11-23.${commit}.modified`)
  expect(await findVersion(folder, { isDeployed: false })).toBe('1.2.4')
})
