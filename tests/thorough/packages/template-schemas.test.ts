import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { useVariant, VARIANTS } from '../../support/programs/stage-variants.ts'
import { templateProblems } from '../../support/programs/template-problems.ts'
import type { Template } from '../../support/programs/use-packaged-service.ts'

const NAMES = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]
const variants = Object.fromEntries(NAMES.map(name => [name, useVariant(name)]))
const [sample] = Object.values(variants)

test.each(NAMES)(
  "the template of %s is what CloudFormation's descriptions of resources allow",
  async name => {
    const { [name]: packaged } = variants
    if (!packaged) throw new Error(`There is no variant ${name}`)

    expect(Object.keys(packaged.template.Resources).length).toBeGreaterThan(50)
    expect(await templateProblems(packaged.template)).toEqual([])
  },
)

test.each(['pipeline/deployer.yml', 'cloudfront/cloudfront.yml'])('%s is, too', async file => {
  const text = await readFile(new URL(`../../../infra/${file}`, import.meta.url), 'utf8')
  expect(await templateProblems(parse(text) as Template)).toEqual([])
  // CloudFormation itself does not support aliases, unlike the framework:
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html
  expect(text).not.toMatch(/[:-] [&*]\w/)
})

test.each([
  ['a resource that there is not', { Type: 'AWS::DynamoDB::Tables' }, 'there is no AWS::DynamoDB::Tables'],
  [
    'a property that there is not',
    { Properties: { Tablename: 'x' } },
    '.Tablename: there is no such property',
  ],
  ['a missing property', { Properties: { KeySchema: undefined } }, '.KeySchema is missing'],
  [
    'text where a flag belongs',
    { Properties: { DeletionProtectionEnabled: 'true' } },
    '.DeletionProtectionEnabled is no boolean',
  ],
  [
    'something wrong further down',
    { Properties: { OnDemandThroughput: { MaxReadRequestUnits: '9' } } },
    '.OnDemandThroughput.MaxReadRequestUnits is no whole number',
  ],
])('%s would be noticed', async (_, change, problem) => {
  const { EventsTable } = sample?.template.Resources ?? {}
  if (!EventsTable) throw new Error('There is no table')
  const { KeySchema, ...rest } = EventsTable.Properties
  const { Properties = {}, ...others } = change as { Type?: string; Properties?: Record<string, unknown> }
  const properties = 'KeySchema' in Properties ? rest : { ...rest, KeySchema, ...Properties }
  const changed = { Resources: { EventsTable: { ...EventsTable, ...others, Properties: properties } } }

  expect(await templateProblems(changed)).toEqual([expect.stringContaining(problem)])
})
