import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Options, SingleBar } from 'cli-progress'
import { type LoadSummary, loadFiles } from '../../lib/ingest/load-files.ts'

/** More lines than anyone reads; the count that follows them is complete. */
const MAX_REPORTED_REJECTIONS = 20

const BAR: Options = {
  format: '  Loading {bar} {percentage}% | {events} events | {eta_formatted} left',
  barCompleteChar: '█',
  barIncompleteChar: '░',
  hideCursor: true,
  clearOnComplete: true,
}

/**
 * Loads the files with a progress bar where somebody is looking. Lines that hold no event are reported
 * on standard error, with their place and the reason; the rest is loaded.
 */
export async function loadWithProgress(
  client: DynamoDBClient,
  { tableName, files }: { tableName: string; files: string[] },
): Promise<LoadSummary> {
  const bar = new SingleBar(BAR)
  const rejections: string[] = []
  bar.start(0, 0, { events: 0 })
  try {
    const summary = await loadFiles({
      client,
      tableName,
      files,
      onProgress: ({ bytesRead, bytesTotal, events }) => {
        bar.setTotal(bytesTotal)
        bar.update(bytesRead, { events })
      },
      onReject: ({ file, line, reason }) => {
        if (rejections.length < MAX_REPORTED_REJECTIONS) rejections.push(`${file}:${line}: ${reason}`)
      },
    })
    return summary
  } finally {
    bar.stop()
    for (const rejection of rejections) console.error(rejection)
  }
}
