import { findSwitchedOff } from '../../../infra/deploy/find-switched-off.ts'
import { readRelease } from '../../../infra/deploy/shifted-functions.ts'
import { tablesCoveredIn, tableUsedIn } from '../../../infra/deploy/template.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'
import { resourcesOf, type Template } from '../../support/programs/use-packaged-service.ts'

const ONE = 'blockchain-events-prod'
const TWO = 'blockchain-events-prod-2'

const prod = useVariant('prod')
const covering = useVariant('covering')
const moved = useVariant('moved')

const rolesOf = (template: Template) => resourcesOf(template, 'AWS::IAM::Role')
const versionsOf = (template: Template) => resourcesOf(template, 'AWS::Lambda::Version')

test('the first step changes the roles and nothing else: they cover both tables', () => {
  const withoutRoles = ({ Resources }: Template) =>
    Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type !== 'AWS::IAM::Role'))
  const plain = (template: Template) =>
    JSON.parse(JSON.stringify(withoutRoles(template)).replaceAll(/\d{13}-[\dT:.-]+Z/g, 'TIME'))

  expect(plain(covering.template)).toEqual(plain(prod.template))
  expect(tablesCoveredIn(prod.template)).toEqual([ONE])
  expect(tablesCoveredIn(covering.template)).toEqual([ONE, TWO])
  for (const role of Object.keys(rolesOf(prod.template))) {
    const rights = (template: Template) => JSON.stringify(rolesOf(template)[role])
    const counted = (text: string, table: string) => text.split(new RegExp(`:table/${table}["/]`)).length
    expect(counted(rights(covering.template), TWO)).toBe(counted(rights(prod.template), ONE))
  }
})

test('the second step leads all functions to the other table and leaves the roles alone', () => {
  expect([tableUsedIn(covering.template), tableUsedIn(moved.template)]).toEqual([ONE, TWO])
  expect(rolesOf(moved.template)).toEqual(rolesOf(covering.template))
  expect(Object.keys(versionsOf(moved.template))).not.toEqual(Object.keys(versionsOf(covering.template)))
})

test('the stack keeps the table that it has made until the third step', () => {
  expect(moved.template.Resources.EventsTable).toEqual(prod.template.Resources.EventsTable)
  expect(findSwitchedOff(covering.template, moved.template).map(({ name }) => name)).toEqual(['EVENTS_TABLE'])
})

test('the functions of a release have one name, and a new release has another', () => {
  // Lambda publishes a version only of a function that has changed.
  const releases = (template: Template) =>
    ['UserEvents', 'TokenEvents', 'Changes'].map(
      name =>
        readRelease(String(template.Resources[`${name}LambdaFunction`]?.Properties.Description)).release,
    )
  const [release = ''] = releases(prod.template)

  expect(releases(prod.template)).toEqual([release, release, release])
  expect(Object.keys(versionsOf(prod.template))[0]).toBe(`UserEventsLambdaVersion${release}`)
  expect(releases(covering.template)).toEqual(releases(prod.template))
  expect(releases(moved.template)).not.toContain(release)
})
