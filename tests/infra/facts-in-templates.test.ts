import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { API_PATHS } from '../../lib/http/route.ts'
import { DEFAULT_KEPT_DAYS } from '../../lib/store/writing/append-revision.ts'

interface Service {
  functions: Record<string, { events?: { httpApi?: string | { path: string } }[] }>
}

const readYaml = async (file: string) =>
  parse(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'), { logLevel: 'error' })

test('the gateway has routes for the paths of the API, and for no other below /v1 but the document', async () => {
  const { functions }: Service = await readYaml('serverless.yml')
  const routes = Object.values(functions).flatMap(({ events = [] }) =>
    events.flatMap(({ httpApi = [] }) => httpApi),
  )
  const paths = routes.map(route => (typeof route === 'string' ? (route.split(' ')[1] ?? '') : route.path))
  const ofApi = paths.filter(path => path.startsWith('/v1/') && path !== '/v1/openapi.json')

  expect(new Set(ofApi)).toEqual(new Set(Object.values(API_PATHS)))
})

test('a deployment keeps the log of revisions as long as the commands do, unless it is told otherwise', async () => {
  const settings: { changesKeptDays: number } = await readYaml('infra/deploy/settings/default.yml')

  expect(settings.changesKeptDays).toBe(DEFAULT_KEPT_DAYS)
})
