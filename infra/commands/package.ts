/**
 * `npm run package`: builds the files that a deployment uploads, and prints their sizes. Needs no AWS account and no
 * network connection. Also writes a template that can be deployed without the Serverless Framework.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { type Command, Option } from 'commander'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { parseStage } from '../../lib/kit/parse-options.ts'
import { runFramework, SERVICE_FOLDER } from '../deploy/framework.ts'
import { FRAMEWORK_STATE, readPackages, writePlainTemplate } from '../operate/package/packaged-service.ts'

interface PackageOptions {
  stage: string
  package: string
}

/** The framework's default output folder. */
const ARTIFACTS = '.serverless'
const OWN_FOLDER = path.join(SERVICE_FOLDER, ARTIFACTS)
const NAME_WIDTH = 14
const BYTES_WIDTH = 11

await createCommand('package', { takesFiles: true })
  .description(
    'Creates the CloudFormation template and the zip file of each function, just as a deployment would upload them.',
  )
  .option(
    '--stage <name>',
    'the stage to package: dev, staging, prod, or a stage of your own',
    parseStage,
    'dev',
  )
  .addOption(
    new Option('--package <folder>', 'the folder to write to').default(
      path.relative('', OWN_FOLDER),
      `${ARTIFACTS} in the service's folder`,
    ),
  )
  .action((options: PackageOptions, command: Command) => doWork(() => packageService(options, command)))
  .parseAsync()

async function packageService({ stage, package: folder }: PackageOptions, command: Command) {
  if (hasOtherFiles(folder)) {
    command.error(
      `error: ${folder} contains other files, which would be deleted; choose another folder for --package`,
    )
  }
  const target = path.resolve(folder)
  // The framework ignores any folder whose path ends with `.serverless`, so a separator is appended to the path.
  const named = target === OWN_FOLDER ? target : target + path.sep
  if (!(await runFramework(['package', '--stage', stage, '--package', named]))) return
  console.log(
    `\n${'function'.padEnd(NAME_WIDTH)}${'zip'.padStart(BYTES_WIDTH)}${'unpacked'.padStart(BYTES_WIDTH)}  files`,
  )
  for (const { name, bytes, files } of await readPackages(folder)) {
    const unpacked = files.reduce((sum, file) => sum + file.bytes, 0)
    const shown = files.map(file => path.basename(file.name)).join(', ')
    console.log(`${name.padEnd(NAME_WIDTH)}${kilobytes(bytes)}${kilobytes(unpacked)}  ${shown}`)
  }
  const lines = await writePlainTemplate(folder)
  console.log(
    ['', 'To deploy these files with nothing but the AWS CLI and your own bucket:', ...lines].join('\n'),
  )
}

/**
 * Whether other files would be lost: the framework first deletes the output folder, unless it is the default folder.
 */
function hasOtherFiles(folder: string): boolean {
  if (path.resolve(folder) === OWN_FOLDER || !existsSync(folder)) return false
  const names = readdirSync(folder)
  return names.length > 0 && !names.includes(FRAMEWORK_STATE)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`.padStart(BYTES_WIDTH)
}
