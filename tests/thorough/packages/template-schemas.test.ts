import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { useVariant, VARIANTS } from '../../support/programs/stage-variants.ts'
import { templateProblems } from '../../support/programs/template-problems.ts'
import type { Template } from '../../support/programs/use-packaged-service.ts'

const NAMES = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]
const variants = Object.fromEntries(NAMES.map(name => [name, useVariant(name)]))

test.each(NAMES)("the template of %s is what CloudFormation's resource schemas allow", async name => {
  const { [name]: packaged } = variants
  if (!packaged) throw new Error(`There is no variant ${name}`)

  expect(Object.keys(packaged.template.Resources).length).toBeGreaterThan(50)
  expect(await templateProblems(packaged.template)).toEqual([])
})

test.each(['pipeline/deployer.yml', 'cloudfront/cloudfront.yml'])('%s is, too', async file => {
  const text = await readFile(new URL(`../../../infra/${file}`, import.meta.url), 'utf8')
  expect(await templateProblems(parse(text) as Template)).toEqual([])
  // CloudFormation itself does not support aliases, unlike the framework:
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-formats.html
  expect(text).not.toMatch(/[:-] [&*]\w/)
})
