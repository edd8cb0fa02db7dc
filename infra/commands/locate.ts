/** `npm run locate`: translates the stack trace of a logged error into positions in the source. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { checkFile } from '../../lib/ingest/load/check-file.ts'
import { createCommand } from '../../lib/kit/create-command.ts'
import { doWork } from '../../lib/kit/do-work.ts'
import { locateFrames } from '../operate/locate/locate-frames.ts'

const HELP = `
Functions are deployed without source maps, so this command creates the maps. Check out the deployed commit first:
  git checkout <the deployed commit> && npm ci
  pbpaste | npm run locate`

await createCommand('locate', { takesFiles: true })
  .description(
    'Reads the stack trace of an error in a deployed function, and prints it with positions in the source.',
  )
  .argument('[file]', 'the stack trace, or a log line (default: standard input)')
  .addHelpText('after', HELP)
  .action(locate)
  .parseAsync()

async function locate(file?: string) {
  await doWork(async () => {
    // In a log line, which is JSON, the line breaks of the stack trace are escaped.
    const stack = (await readStack(file)).replaceAll('\\n', '\n')
    const located = await locateFrames(stack)
    if (located === stack)
      throw new Error(
        "The input does not mention any position in a function's bundle. Paste the whole stack trace, or the whole log line",
      )
    console.log(located)
  })
}

async function readStack(file: string | undefined): Promise<string> {
  if (file !== undefined) {
    await checkFile(file)
    return await readFile(file, 'utf8')
  }
  if (process.stdin.isTTY)
    console.error('Waiting for a stack trace on standard input. Press Ctrl-D after its last line')
  return await text(process.stdin)
}
