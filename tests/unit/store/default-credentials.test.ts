import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { defaultProvider } from '../../../lib/store/default-credentials.ts'
import { useFolder } from '../../support/runner/use-folder.ts'

const { jest } = import.meta
const folder = useFolder()

const PROFILE = '[reader]\naws_access_key_id = of-the-profile\naws_secret_access_key = secret\n'
beforeAll(() => writeFile(path.join(folder, 'credentials'), PROFILE))

beforeEach(() => {
  const [AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE] = [path.join(folder, 'credentials'), '/no/such/file']
  jest.replaceProperty(process, 'env', { AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE })
})
afterEach(() => jest.restoreAllMocks())

it('uses the credentials that Lambda puts into the environment', async () => {
  const given = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
  Object.assign(process.env, given)

  const found = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' }
  expect(await defaultProvider()()).toMatchObject(found)
})

it('finds the credentials of a profile if a function runs elsewhere', async () => {
  process.env.AWS_PROFILE = 'reader'

  expect(await defaultProvider()()).toMatchObject({ accessKeyId: 'of-the-profile' })
})
