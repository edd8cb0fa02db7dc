/** `npm run locate`: finds the places in the source that an error's stack in the log speaks of. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { locateFrames } from '../locate-frames.ts'

const HELP = `
Functions are deployed without source maps. The same commit makes the same bundles again, with maps:
  git checkout <the deployed commit> && npm ci
  pbpaste | npm run locate`

await new Command('npm run locate --')
  .description('Reads the stack of an error of a deployed function; prints it with the places in the source.')
  .argument('[file]', 'the stack, or a line of the log (default: standard input)')
  .addHelpText('after', HELP)
  .action(async (file?: string) => {
    const stack = file === undefined ? await text(process.stdin) : await readFile(file, 'utf8')
    // A line of the log is JSON, in which a stack is one string.
    console.log(await locateFrames(stack.replaceAll('\\n', '\n')))
  })
  .parseAsync()
