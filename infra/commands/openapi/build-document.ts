import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createDocument } from 'zod-openapi'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { WRITTEN_BASE_URL } from '../../../lib/http/docs/docs-files.ts'
import { describeChanges } from './describe-changes.ts'
import { describeOperation } from './describe-operation.ts'
import { describeRecords, MINTS } from './describe-records.ts'
import { describeStatus } from './describe-status.ts'
import { describeWholeNumbers } from './describe-whole-numbers.ts'
import { readExamples } from './example-records.ts'
import { tellExample } from './tell-example.ts'

const MANIFEST = path.join(import.meta.dirname, '../../../package.json')

const NAMES = new Intl.ListFormat('en-GB').format(NETWORKS)

const DESCRIPTION = `What happened on chain to this wallet, or to this token? A read-only service over the events of ${NAMES}.

**Pages.** A page is a bare JSON list. When more records follow, the header \`Link: <…>; rel="next"\` holds the address of the next page: follow it until it is absent, and every record is read exactly once, whatever is written meanwhile.

**Formats.** By \`Accept\`, a page is \`application/json\`, \`application/x-ndjson\` or \`text/csv\`; headers and errors are the same. Who cannot set \`Accept\`, such as a spreadsheet, asks with \`format=json\`, \`ndjson\` or \`csv\`, which goes before \`Accept\`. Where a page would exceed what the service can send, which happens sooner in CSV, it ends early, with \`X-Partial\`.

**Copies.** Who keeps records follows \`/v1/changes\`: it tells of everything that is added, and of everything that a reorganisation removes, in an order in which a copy can apply it, and goes on wherever a copy was left.

**Mints.** ${MINTS} \`event=TransferSingle,TransferBatch\` asks for those.

**Nothing found.** No events is \`200\` with an empty page. Where a value is no address or hash, and so can have no events, \`X-Unmatchable\` names its parameter.

**Order.** The order is total. By default, and with \`createdAt\`, records are sorted by time, then block number, network and log index; with \`blockNumber\` by block number, network and log index.

**Manners.** \`HEAD\` answers with the headers of \`GET\`. Answers carry an \`ETag\`, and come compressed to those who accept \`br\` or \`gzip\`. Pages of any origin may call. No key is needed.

**Errors.** A parameter that is misspelt, out of bounds or given twice is refused with \`400\` and never ignored. \`errors\` names everything that is wrong, and \`detail\` says the same in one text. Each error's \`type\` is the address of its cause and remedy. Only \`429\` is not the service's own: the gateway says it, with a body of its own.`

/** The OpenAPI document of the service, from the very schemas that it parses and stores with. */
export async function buildDocument(): Promise<object> {
  const examples = await readExamples()
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }
  describeRecords(examples)
  // The library's type of `info` lacks the summary that OpenAPI 3.1 has.
  const info = {
    title: 'Blockchain events',
    version,
    summary: `The history of wallets and tokens on ${NETWORKS.length} networks`,
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info,
      servers: [{ url: WRITTEN_BASE_URL, description: 'The local stack, as `npm start` serves it' }],
      tags: [
        { name: 'Events', description: 'Records of events, by user and by token' },
        { name: 'Changes', description: 'What happens to these records, for copies of them' },
        {
          name: 'Service',
          description: 'The service itself. `/llms.txt` explains the service to programs that read text.',
        },
      ],
      paths: {
        '/v1/user-events/{address}': { get: describeOperation('user-events', examples) },
        '/v1/token-events': { get: describeOperation('token-events', examples) },
        '/v1/changes': { get: describeChanges(examples) },
        '/v1/status': { get: describeStatus(version) },
      },
    },
    { override: describeWholeNumbers },
  )
  for (const path of Object.values(document.paths ?? {})) {
    for (const parameter of path.get?.parameters ?? [])
      tellExample(parameter as Parameters<typeof tellExample>[0])
  }
  return document
}
