import { readFileSync } from 'node:fs'
import path from 'node:path'
import type * as z from 'zod/mini'
import { createDocument } from 'zod-openapi'
import type { ZodOpenApiOverride } from 'zod-openapi/api'
import { NETWORKS } from '../../events/networks.ts'
import { API_PATHS } from '../../http/route.ts'
import type { WholeNumberBounds } from '../../query/value-schemas.ts'
import { WRITTEN_BASE_URL } from '../look/page-files.ts'
import { describeChanges } from './describe-changes.ts'
import { describeOperation } from './describe-operation.ts'
import { describeRecords, MINTS } from './describe-records.ts'
import { describeStatus } from './describe-status.ts'
import { readExamples } from './example-records.ts'
import { tellExample } from './openapi-document.ts'

const MANIFEST = path.join(import.meta.dirname, '../../../package.json')

const NAMES = new Intl.ListFormat('en-GB').format(NETWORKS)

const DESCRIPTION = `What happened on chain to this wallet, or to this token? This read-only service answers with events of ${NAMES}.

**Pages.** A page is a bare JSON list. When more records follow, the header \`Link: <…>; rel="next"\` contains the address of the next page. If you follow \`Link\` until it is absent, you read exactly once each record that existed at the start and was not removed, and at most once each record that was added in the meantime.

**Formats.** \`Accept\` chooses \`application/json\`, \`application/x-ndjson\` or \`text/csv\`. Headers and errors are the same in all formats. A client that cannot set \`Accept\`, such as a spreadsheet, sends \`format=json\`, \`ndjson\` or \`csv\`. \`format\` takes precedence over \`Accept\`. A page that would be too large to send ends early, with \`X-Partial\`, and CSV pages reach this size sooner.

**Copies.** To keep a copy of the records, follow \`/v1/changes\`. The feed reports every added event, and every event that a reorganisation removes, in an order in which a copy can apply them. A cursor resumes the feed where the copy stopped.

**Mints.** ${MINTS} \`event=TransferSingle,TransferBatch\` selects the transfers.

**Nothing found.** A query without matching events returns \`200\` and an empty page. If an address or a hash is malformed, no event can match, and \`X-Unmatchable\` names the parameter.

**Order.** The order is total: by default, and with \`createdAt\`, records are sorted by time, then block number, network and log index; with \`blockNumber\`, by block number, network and log index.

**HTTP.** \`HEAD\` returns the headers of \`GET\`, and successful answers have an \`ETag\`. Answers are compressed for clients that accept \`br\` or \`gzip\`, and web pages of any origin may call the service. A public service needs no key. If the operator has restricted access to the service, requests need credentials that the operator issues: a token, sent as \`Authorization: Bearer …\`, or AWS credentials that sign the request.

**Errors.** A parameter that is misspelt, out of bounds or wrongly repeated is rejected with \`400\`, never ignored. \`errors\` lists the problems, and \`detail\` sums them up in one string. Each error's \`type\` is a link to its cause and remedy. An error without \`type\` comes from the gateway, such as \`429\`, the \`401\` and \`403\` of a service with restricted access, and the answers to malformed or oversized requests.`

export async function buildDocument(): Promise<object> {
  const examples = await readExamples()
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }
  describeRecords(examples)
  // The library's type of `info` lacks the `summary` of OpenAPI 3.1.
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
      servers: [{ url: WRITTEN_BASE_URL, description: 'The local stack that `npm start` runs' }],
      tags: [
        { name: 'Events', description: 'Records of events, by user and by token' },
        { name: 'Changes', description: 'Changes to these records, for keeping a copy' },
        {
          name: 'Service',
          description: 'The service itself. `/llms.txt` explains the service to programs that read text.',
        },
      ],
      paths: {
        [API_PATHS['user-events']]: { get: describeOperation('user-events', examples) },
        [API_PATHS['token-events']]: { get: describeOperation('token-events', examples) },
        [API_PATHS.changes]: { get: describeChanges(examples) },
        [API_PATHS.status]: { get: describeStatus(version) },
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

/** Describes a number in a query as an integer with bounds, although the service's schema describes a string. */
const describeWholeNumbers: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  const bounds = boundsOf(zodSchema)
  if (!bounds) return
  Object.assign(jsonSchema, {
    type: 'integer',
    minimum: bounds.min,
    ...(bounds.max !== undefined && { maximum: bounds.max }),
  })
}

function boundsOf(schema: z.core.$ZodTypes): WholeNumberBounds | undefined {
  const { def } = schema._zod
  if (def.type === 'pipe') return boundsOf(def.in as z.core.$ZodTypes)
  if (def.type === 'optional') return boundsOf(def.innerType as z.core.$ZodTypes)
  if (def.type !== 'string') return undefined
  const checks = (def.checks ?? []).map(check => check._zod.def as Partial<z.core.$ZodCustomDef>)
  return checks.find(({ params }) => params && 'min' in params)?.params as WholeNumberBounds | undefined
}
