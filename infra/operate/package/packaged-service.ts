import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import type { Template } from '../../deploy/template.ts'

export interface FunctionPackage {
  name: string
  /** The size of the zip. */
  bytes: number
  files: { name: string; bytes: number }[]
}

export async function readPackages(folder: string): Promise<FunctionPackage[]> {
  const zips = (await readdir(folder)).filter(file => file.endsWith('.zip')).sort()
  return Promise.all(
    zips.map(async file => {
      const zip = await readFile(path.join(folder, file))
      const files: FunctionPackage['files'] = []
      unzipSync(zip, {
        filter({ name, originalSize }) {
          files.push({ name, bytes: originalSize })
          return false
        },
      })
      return { name: path.basename(file, '.zip'), bytes: zip.length, files }
    }),
  )
}

const FRAMEWORK_TEMPLATE = 'cloudformation-template-update-stack.json'
/** A folder with this file contains a packaged service. */
export const FRAMEWORK_STATE = 'serverless-state.json'
const PLAIN_TEMPLATE = 'template.json'

interface FrameworkState {
  service: { service: string; provider: { stage: string; stackTags?: Record<string, string> } }
}

/** Writes a template like the framework's, but with code from local zips. Resolves with the commands to deploy it. */
export async function writePlainTemplate(folder: string): Promise<string[]> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'))
  const template: Template = await read(FRAMEWORK_TEMPLATE)
  const { service }: FrameworkState = await read(FRAMEWORK_STATE)
  const file = path.join(folder, PLAIN_TEMPLATE)
  await writeFile(file, `${JSON.stringify(withLocalCode(template), null, 2)}\n`)
  const { stage, stackTags = {} } = service.provider
  const tags = Object.entries(stackTags).map(([key, value]) => `${key}=${value}`)
  const packaged = path.join(folder, 'packaged.json')
  return [
    `aws cloudformation package --template-file ${file} --s3-bucket BUCKET --use-json --output-template-file ${packaged}`,
    `aws cloudformation deploy --template-file ${packaged} --s3-bucket BUCKET --stack-name ${service.service}-${stage} --capabilities CAPABILITY_IAM --tags ${tags.join(' ')}`,
  ]
}

/** Replaces each function's code with the path of its zip, which `aws cloudformation package` uploads. */
function withLocalCode(template: Template): Template {
  const Resources = Object.entries(template.Resources).map(([name, resource]) => {
    if (resource.Type !== 'AWS::Lambda::Function') return [name, resource]
    const { Code } = { ...resource.Properties } as { Code: { S3Key: string } }
    const Properties = { ...resource.Properties, Code: path.posix.basename(Code.S3Key) }
    return [name, { ...resource, Properties }]
  })
  return { ...template, Resources: Object.fromEntries(Resources) }
}
