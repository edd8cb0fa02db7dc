import type { Serverless } from '../../infra/deploy/framework.ts'
import refuseWrongSettings from '../../infra/deploy/refuse-wrong-settings.ts'
import { findRegion } from '../../lib/kit/find-region.ts'
import { plainSettings } from '../support/programs/plain-settings.ts'
import { useTextFiles } from '../support/programs/text-files.ts'

const writeText = useTextFiles()
const before = { ...process.env }

beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) delete process.env[name]
  process.env.AWS_SHARED_CREDENTIALS_FILE = await writeText('credentials', '')
  process.env.AWS_CONFIG_FILE = await writeText('config', '')
})
afterAll(() => {
  process.env = before
})

test.each([
  [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, undefined, 'eu-west-1'],
  [{ AWS_DEFAULT_REGION: 'eu-west-2' }, undefined, 'eu-west-2'],
  [{}, undefined, 'eu-west-3'],
  [{ AWS_PROFILE: 'work' }, undefined, 'eu-north-1'],
  [{ AWS_PROFILE: 'default' }, 'work', 'eu-north-1'],
  [{ AWS_PROFILE: 'unknown' }, undefined, undefined],
])('with %j and the named profile %s it is %s', async (variables, profile, region) => {
  const config = '[default]\nregion = eu-west-3\n\n[profile work]\nregion = eu-north-1\n'
  // Each file needs a new name, because the SDK reads a file only once in a process.
  const file = await writeText(`config-${profile}-${region}`, config)
  Object.assign(process.env, { AWS_CONFIG_FILE: file }, variables)

  expect(await findRegion(profile)).toBe(region)
})

test('a deployment without a region is refused before it packages anything, and one with any of them is not', async () => {
  const framework = {
    ...{ processedInput: { commands: ['deploy'] }, configurationInput: { params: plainSettings() } },
    classes: { Error },
  } as unknown as Serverless
  const deploy = (options: { region?: string }) =>
    refuseWrongSettings(framework, { stage: 'dev', ...options }).hooks.initialize?.()

  await expect(deploy({})).rejects.toThrow('No AWS region was found: set AWS_REGION or specify --region')
  await expect(deploy({ region: 'eu-west-1' })).resolves.toBeUndefined()
  process.env.AWS_DEFAULT_REGION = 'eu-west-2'
  await expect(deploy({})).resolves.toBeUndefined()
})
