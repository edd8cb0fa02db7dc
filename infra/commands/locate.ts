/** `npm run locate`: translates the stack of a logged error into positions in the source. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { checkFile } from '../../lib/ingest/load/check-file.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { locateFrames } from '../operate/locate/locate-frames.ts'

const HELP = `
Functions are deployed without source maps, so this command builds the same bundles with maps, from the same commit:
  git checkout <the deployed commit> && npm ci
  pbpaste | npm run locate`

await createCommand('locate', { takesFiles: true })
  .description(
    'Reads the stack of an error from a deployed function, and prints it with the positions in the source.',
  )
  .argument('[file]', 'the stack, or a line of the log (default: standard input)')
  .addHelpText('after', HELP)
  .action(locate)
  .parseAsync()

async function locate(file?: string) {
  await doWork(async () => {
    // A log line is JSON, and has the whole stack as one string.
    const stack = (await readStack(file)).replaceAll('\\n', '\n')
    const located = await locateFrames(stack)
    if (located === stack)
      throw new Error(
        "The input has no line of a function's bundle. Paste the whole stack, or the line of the log",
      )
    console.log(located)
  })
}

async function readStack(file: string | undefined): Promise<string> {
  if (file !== undefined) {
    await checkFile(file)
    return await readFile(file, 'utf8')
  }
  if (process.stdin.isTTY) console.error('Waiting for a stack on standard input; end it with Ctrl-D')
  return await text(process.stdin)
}
