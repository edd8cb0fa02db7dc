/** `npm run client-package`: packs the typed client for npm, but does not publish it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Option } from 'commander'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { writePackage } from '../operate/client-package/write-package.ts'

const DEFAULT_FOLDER = path.resolve(import.meta.dirname, '../../.local/client-package')

await createCommand('client-package', { takesFiles: true })
  .description('Packs the typed client as npm would publish it. To publish the file, run npm publish <file>.')
  .addOption(
    new Option('--out <folder>', 'the folder for the package').default(
      DEFAULT_FOLDER,
      ".local/client-package in the service's folder",
    ),
  )
  .action((options: { out: string }) => doWork(() => packClient(options)))
  .parseAsync()

interface Packed {
  filename: string
  size: number
  unpackedSize: number
  files: { path: string }[]
}

async function packClient({ out }: { out: string }) {
  await mkdir(out, { recursive: true })
  const folder = await mkdtemp(path.join(tmpdir(), 'client-package-'))
  try {
    await writePackage(folder)
    const options = ['--json', '--pack-destination', path.resolve(out)]
    const { stdout } = await promisify(execFile)('npm', ['pack', ...options], { cwd: folder })
    tell(out, JSON.parse(stdout))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function tell(out: string, [packed]: Packed[]) {
  if (!packed) throw new Error('npm pack ended without an error, but wrote no package')
  const { filename, size, unpackedSize, files } = packed
  for (const file of files) console.log(`  ${file.path}`)
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  console.log(`${path.join(out, filename)}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}`)
}
