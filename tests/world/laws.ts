import { isDeepStrictEqual } from 'node:util'
import type { EventRecord } from '../../lib/events/record.ts'
import { chunkList } from '../../lib/store/format/item.ts'
import { REVISIONS_LIST } from '../../lib/store/format/keys.ts'
import { parseRevision, REVISION } from '../../lib/store/format/revision-item.ts'
import { recentBlocksList } from '../../lib/store/writing/recent-blocks.ts'
import { answer, type Finality, hasUser } from '../support/oracle/oracle.ts'
import type { Walk } from './actors/callers/ask-at-rest.ts'
import type { ReaderScope } from './life.ts'
import type { CheckpointItem } from './outside/sim-table.ts'
import { breach, type Job, type SimNetwork, type World } from './world.ts'

/** What a law sees when nothing writes any more and every reader has read to the end. */
interface Rest {
  world: World
  /** The events that `all` of the table contains. */
  stored: readonly EventRecord[]
  copies: readonly ReadCopy[]
  /** The problems that `npm run verify` reports. */
  problems: readonly string[]
  /** What a reader that is up to date examined with one more request. */
  idle: readonly { scope: ReaderScope; examined: number; calls: number }[]
  /** The partition of each chunk. */
  chunkLists: readonly string[]
  walks: readonly Walk[]
}

/** What a law sees while an indexer is off, or a load has died. */
interface Pause {
  world: World
  stored: readonly EventRecord[]
  /** The stored events of which no item is missing. */
  whole: readonly EventRecord[]
  copies: readonly ReadCopy[]
}

/** What a reader holds in the end. */
export interface ReadCopy {
  name: string
  scope: ReaderScope
  records: ReadonlyMap<string, EventRecord>
  /** Whether the reader only gets final events, and keeps what is removed. */
  finalized: boolean
  /** Events from before the reader's beginning are not expected. */
  isWhole: boolean
  /** Why the reader has ended for good. */
  ended?: string | undefined
  complaints: readonly string[]
  /** The rows that the reader derives from the events, and those that follow from its events. */
  derived?: { found: unknown; expected: unknown }
}

/** A write that has just taken effect. */
interface Write {
  world: World
  job: Job | undefined
  network: SimNetwork
  /** The checkpoint's item before and after. Equal if the write was another. */
  before: CheckpointItem | undefined
  after: CheckpointItem | undefined
  /** Whether the write changed events or remembered blocks of the network. */
  isOfEvents: boolean
  /** The event that the write has removed. */
  removed: EventRecord | undefined
  /** The process that holds the network's lease. */
  holder: string | undefined
  has: (record: EventRecord) => boolean
}

interface Law {
  sentence: string
  /** Returns what breaks the law, in words. */
  atRest?: (rest: Rest) => string[]
  whileOff?: (pause: Pause) => string[]
  atWrite?: (write: Write) => string[]
  atEnd?: (world: World, job: Job) => string[]
}

/** The errors with which a program may end, because more than one answer of one neighbour stands behind them. */
const WRITER_ENDS = [
  'LeaseHeldError',
  'LeaseLostError',
  'NodesUnavailableError',
  // The SDK tries reads of forms, chunks and whole tables three times.
  'TimeoutError',
]
const AUDIT_ENDS = [
  'AuditStoppedError',
  'ChainChangedError',
  'NothingToAuditError',
  // The name of the same for chunks.
  'StoreUnavailableError',
  // The SDK tries the reads before an audit three times, too.
  'ProvisionedThroughputExceededException',
  ...WRITER_ENDS,
]
const NAMED_ENDS: Partial<Record<Job['kind'], readonly string[]>> = {
  indexer: [
    ...WRITER_ENDS,
    'UnprovenBlockError',
    'ScopeChangedError',
    'StartBeyondHeadError',
    'NoWayBackError',
  ],
  audit: AUDIT_ENDS,
  repair: AUDIT_ENDS,
  'audit function': AUDIT_ENDS,
  load: WRITER_ENDS,
  follower: [],
  publisher: ['PublishFailedError'],
}

/** A follower with `--once` ends at an outage. */
const ONCE_ENDS = ['ApiError', 'ConnectionError', 'CopyUnavailableError', 'UnavailableError']

/** All that the world is judged by. */
const LAWS: readonly Law[] = [
  {
    sentence: 'At rest the table has exactly the events of the chain, in every field.',
    atRest: ({ world, stored }) =>
      [...world.networks.values()].flatMap(network => compareWithChain(network, { world, stored })),
  },
  {
    sentence: 'At rest each event is in each of its lists, byte by byte, and nothing else is in any list.',
    atRest: ({ problems }) => [...problems],
  },
  {
    sentence: 'At rest each chunk belongs to an event.',
    atRest({ stored, chunkLists }) {
      const known = new Set(stored.map(chunkList))
      return [...new Set(chunkLists)].filter(list => !known.has(list))
    },
  },
  {
    sentence: 'Each copy and each receiver holds exactly the events of its scope.',
    atRest: ({ copies, stored }) =>
      copies
        .filter(({ finalized, ended }) => !finalized && ended === undefined)
        .flatMap(copy => compareCopy(copy, stored)),
  },
  {
    sentence: 'A receiver of final events has each of them, and nothing that was not final.',
    atRest: ({ world, copies, stored }) =>
      copies
        .filter(({ finalized, ended }) => finalized && ended === undefined)
        .flatMap(copy =>
          compareCopy(
            copy,
            stored.filter(record => isFinal(world, record)),
            stored.filter(record => isIndexedAsFinal(world, record)),
          ),
        ),
  },
  {
    sentence: 'A copy has what is stored whole, although a load has died or no indexer runs.',
    whileOff: ({ world, stored, whole, copies }) =>
      copies
        .filter(({ ended }) => ended === undefined)
        .flatMap(copy =>
          copy.finalized
            ? compareCopy(
                copy,
                stored.filter(record => isFinalOnChain(world, record)),
                whole.filter(record => isIndexedAsFinal(world, record)),
              )
            : compareCopy(copy, stored, whole),
        ),
  },
  {
    sentence: 'What a copy derives from its events follows from them.',
    atRest: ({ copies }) =>
      copies.flatMap(({ name, derived }) =>
        derived && !isDeepStrictEqual(derived.found, derived.expected)
          ? [`${name}: ${JSON.stringify(derived.found)} instead of ${JSON.stringify(derived.expected)}`]
          : [],
      ),
  },
  {
    sentence: 'No reader ends or stays behind for good while it is served.',
    atRest: ({ copies }) =>
      copies.flatMap(({ name, ended }) =>
        ended === undefined || ended.includes('too old') ? [] : [`${name}: ${ended}`],
      ),
  },
  {
    sentence: 'A repeated batch has the id and the body of its first attempt, and a valid signature.',
    atRest: ({ copies }) =>
      copies.flatMap(({ name, complaints }) => complaints.map(each => `${name}: ${each}`)),
  },
  {
    sentence: 'A reader that is up to date costs a few items, however long its lists are.',
    atRest: ({ idle }) =>
      idle.flatMap(({ scope, examined, calls }) =>
        examined > MOST_IDLE_ITEMS || calls > MOST_IDLE_CALLS
          ? [`${JSON.stringify(scope)}: ${examined} items in ${calls} calls`]
          : [],
      ),
  },
  {
    sentence: 'A checkpoint moves up only over blocks whose events are all stored.',
    atWrite: ({ network, before, after, has }) => {
      if (after?.blockNumber === undefined || after.blockHash === undefined) return []
      if (after.blockHash === before?.blockHash) return []
      const from = (before?.blockNumber ?? (after.scope?.fromBlock ?? 0) - 1) + 1
      return eventsUpTo(network, { hash: after.blockHash, from, scope: after.scope })
        .filter(record => !has(record))
        .map(
          ({ id, blockNumber }) =>
            `the checkpoint is at ${after.blockNumber}, and ${id} of ${blockNumber} is not stored`,
        )
    },
  },
  {
    sentence:
      'A checkpoint moves up only along its own chain, and past no remembered block that has left it.',
    atWrite({ world, network, before, after }) {
      const { blockNumber = -1, blockHash = '' } = after ?? {}
      if (before?.blockNumber === undefined || blockNumber <= before.blockNumber) return []
      const { chain } = network
      const remembered = rememberedBlocks(world, network).filter(({ number }) => number <= blockNumber)
      const below = [...remembered, { number: before.blockNumber, hash: before.blockHash }]
      const lowest = Math.min(...below.map(({ number }) => number))
      const hashes = new Map<number, string>()
      for (let block = chain.ofHash(blockHash); block && block.number >= lowest; )
        block = chain.ofHash(hashes.set(block.number, block.hash) && block.parentHash)
      return below
        .filter(({ number, hash }) => hashes.has(number) && hashes.get(number) !== hash)
        .map(({ number, hash }) => `the checkpoint is at ${blockNumber}, above ${hash} of ${number}`)
    },
  },
  {
    sentence: 'An event leaves the table only after the log has told it.',
    atWrite({ world, removed, network }) {
      if (!removed || removed.network !== network.network) return []
      const { id, blockHash } = removed
      const isTold = world.table
        .partition(REVISIONS_LIST)
        .flatMap(item => parseRevision(item.p?.S, item[REVISION]?.S).removed)
        .some(each => each.id === id && each.blockHash === blockHash)
      return isTold ? [] : [`${id} of block ${removed.blockNumber} is removed`]
    },
  },
  {
    sentence: 'A writer that ends is at rest only if it remembers no block above its checkpoint.',
    atWrite({ world, network, before, after }) {
      const { leased, atRest, blockNumber } = after ?? {}
      // Without a checkpoint, the next writer tells readers to read everything again.
      if (!before?.leased || leased !== false || !atRest || blockNumber === undefined) return []
      return rememberedBlocks(world, network)
        .filter(({ number }) => number > blockNumber)
        .map(({ number }) => `block ${number} is remembered above ${blockNumber}`)
    },
  },
  {
    sentence: 'The audited block covers only blocks that are equal to the chain.',
    atWrite: ({ network, before, after, has }) => {
      if (after?.auditedBlock === undefined) return []
      if (after.auditedBlock > (after.blockNumber ?? -1))
        return [`audited through ${after.auditedBlock}, and indexed through ${after.blockNumber}`]
      const isNew = after.auditedBlock > (before?.auditedBlock ?? -1)
      if (!isNew && isDeepStrictEqual(before?.scope, after.scope)) return []
      const from = after.scope?.fromBlock ?? network.chain.first
      const missing = eventsUpTo(network, { hash: after.auditedHash ?? '', from, scope: after.scope })
        .filter(record => !has(record) && !network.secrets.has(record.id))
        .map(
          ({ id, blockNumber }) =>
            `audited through ${after.auditedBlock}, and ${id} of ${blockNumber} is not stored`,
        )
      const isOnChain = network.chain.at(after.auditedBlock)?.hash === after.auditedHash
      return isOnChain
        ? missing
        : [...missing, `audited through ${after.auditedBlock}, which is not on the chain`]
    },
  },
  {
    sentence: 'Only the holder of the lease writes events of a network that is indexed.',
    atWrite: ({ job, holder, isOfEvents, network }) =>
      isOfEvents && job && (job.kind === 'indexer' || job.kind === 'repair') && holder !== job.actor.name
        ? [`${job.actor.name} writes ${network.network}, whose lease ${holder} holds`]
        : [],
  },
  {
    sentence: 'A writer releases its lease only when none of its writes is under way.',
    atWrite({ world, job, before, after }) {
      if (!job || !before?.leased || after?.leased !== false || after.fence !== before.fence) return []
      const writes = world.gate.underWay(job.actor).filter(title => /^(puts|deletes|DeleteItem) /.test(title))
      return writes.map(title => `${job.actor.name} releases its lease, although it ${title}`)
    },
  },
  {
    sentence: 'Nothing ends because of one answer of one neighbour.',
    atEnd: ({ tally }, { kind, isOnce, end, error, actor }) => {
      if (
        end === undefined ||
        (isOnce && ONCE_ENDS.includes(end)) ||
        ['done', 'stopped', 'died'].includes(end)
      )
        return []
      if (NAMED_ENDS[kind] === undefined || NAMED_ENDS[kind].includes(end)) return []
      tally.set(`odd end of ${kind}: ${end}`, (tally.get(`odd end of ${kind}: ${end}`) ?? 0) + 1)
      return [`${actor.name} ended: ${(error as Error)?.stack ?? end}`]
    },
  },
  /** The callers check these sentences on each of their answers (`actors/callers/start-caller.ts`). */
  { sentence: 'No answer contains an event that was never on a chain, or one twice.' },
  { sentence: 'An answer to minBlock lacks no event up to that block.' },
  { sentence: 'An answer to finalized has each final event, and none that is not final.' },
  { sentence: 'The records of a walk are in order.' },
  {
    sentence: 'The pages of a question are together what the interface says.',
    atRest: ({ world, stored, walks }) =>
      walks.flatMap(({ target, records }) => {
        const expected = answer(stored, target, finalityOf(world))
        const ids = expected.status === 200 ? expected.all.map(({ id }) => id) : expected.parameters
        const found = records.map(({ id }) => id)
        return isDeepStrictEqual(found, ids)
          ? []
          : [describeWalk(target, { found, expected: ids, stored, finality: finalityOf(world) })]
      }),
  },
  { sentence: 'No writer waits for good for one that has died.' },
  { sentence: 'An audit that has found a difference leaves no claim above it.' },
  { sentence: 'A reader must begin anew only after it has slept for longer than the log is kept.' },
  { sentence: 'The service fails only where its table fails.' },
  { sentence: 'The world does not stand still, and nothing in it goes in circles.' },
]

/** Asks each law, and notes what breaks it. */
export function judge(world: World, ask: (law: Law) => string[] | undefined): void {
  for (const law of LAWS) for (const detail of ask(law) ?? []) breach(world, law.sentence, detail)
}

const MOST_IDLE_ITEMS = 12
const MOST_IDLE_CALLS = 40

/** The events that a network must have at rest, and those that it may have. */
function compareWithChain(
  network: SimNetwork,
  { world, stored }: { world: World; stored: readonly EventRecord[] },
): string[] {
  const found = new Map(
    stored.filter(record => record.network === network.network).map(record => [record.id, record]),
  )
  const upTo = world.table.checkpoints().get(network.network)?.blockNumber ?? -1
  const onChain = network.chain.blocks.flatMap(({ events }) => events)
  const wanted = new Map(
    onChain
      .filter(record => network.isIndexed && isInScope(network, record) && record.blockNumber <= upTo)
      .map(record => [record.id, record]),
  )
  const allowed = new Map(onChain.map(record => [record.id, record]))
  const problems: string[] = []
  for (const record of network.loaded.values()) wanted.set(record.id, record)
  for (const [id, record] of wanted)
    if (!found.has(id)) problems.push(`${id} of block ${record.blockNumber} is missing`)
  for (const [id, record] of found) {
    const truth = allowed.get(id)
    if (!truth) problems.push(`${id} of block ${record.blockNumber} is not on the chain`)
    else if (!isDeepStrictEqual({ ...record }, { ...truth }))
      problems.push(`${id} differs: ${JSON.stringify(record)} instead of ${JSON.stringify(truth)}`)
    else if (!wanted.has(id) && network.isIndexed && record.blockNumber > network.chain.finalized().number)
      problems.push(
        `${id} of block ${record.blockNumber} is stored, though not in the indexed blocks up to ${upTo}`,
      )
  }
  return problems
}

const isInScope = (
  { contracts, fromBlock }: { contracts: 'any' | readonly string[]; fromBlock: number },
  { address, blockNumber }: EventRecord,
) => blockNumber >= fromBlock && (contracts === 'any' || contracts.includes(address))

const rememberedBlocks = ({ table }: World, { network }: SimNetwork) =>
  table
    .partition(recentBlocksList(network))
    .map(({ blockNumber, blockHash }) => ({ number: Number(blockNumber?.N), hash: blockHash?.S }))

/** The events of the blocks from `from` up to the block with this hash, on that block's own chain. */
function eventsUpTo(
  { chain }: SimNetwork,
  { hash, from, scope }: { hash: string; from: number; scope: CheckpointItem['scope'] },
): EventRecord[] {
  const events: EventRecord[] = []
  for (let block = chain.ofHash(hash); block && block.number >= from; block = chain.ofHash(block.parentHash))
    events.push(...block.events.filter(record => !scope || isInScope(scope, record)))
  return events
}

/** What a walk has too much or lacks, or the order that it has. */
function describeWalk(
  target: object,
  {
    found,
    expected,
    stored,
    finality,
  }: { found: string[]; expected: string[]; stored: readonly EventRecord[]; finality: Finality },
): string {
  const withBlock = (id: string) => `${id} of ${stored.find(record => record.id === id)?.blockNumber}`
  const lacks = expected.filter(id => !found.includes(id)).map(withBlock)
  const has = found.filter(id => !expected.includes(id)).map(withBlock)
  const how =
    lacks.length + has.length > 0
      ? `lacks ${lacks.join(', ')}; has ${has.join(', ')} (final: ${JSON.stringify(finality)})`
      : `${found.join(' ')} instead of ${expected.join(' ')}`
  return `${JSON.stringify(target)}: ${how}`
}

/** The last final block of each network, as far as it is indexed. */
const finalityOf = ({ table }: World): Finality =>
  Object.fromEntries(
    [...table.checkpoints()].map(([network, { finalizedBlock = -1, blockNumber = -1 }]) => [
      network,
      Math.min(finalizedBlock, blockNumber),
    ]),
  )

const isFinal = ({ table }: World, { network, blockNumber }: EventRecord) =>
  blockNumber <= (table.checkpoints().get(network)?.finalizedBlock ?? -1)

/** An indexer that has just begun again does not know yet what was final before. */
const isFinalOnChain = ({ networks }: World, { network, blockNumber }: EventRecord) =>
  blockNumber <= (networks.get(network)?.chain.finalized().number ?? -1)

/** Loads may store final events above the checkpoint, which readers of the feed may or may not read yet. */
const isIndexedAsFinal = (world: World, { network, blockNumber }: EventRecord) =>
  blockNumber <= (finalityOf(world)[network] ?? -1)

/** Compares a copy with the events that it may have, of which it must have `needed`. */
function compareCopy(
  { name, scope, records, isWhole }: ReadCopy,
  stored: readonly EventRecord[],
  needed = stored,
): string[] {
  const allowed = new Map(
    stored.filter(record => isOfScope(scope, record)).map(record => [record.id, record]),
  )
  const isNeeded = new Set(needed)
  const problems: string[] = []
  for (const [id, record] of allowed) {
    const held = records.get(id)
    if (!held && isWhole && isNeeded.has(record))
      problems.push(`${name} lacks ${id} of block ${record.blockNumber}`)
    else if (held && !isDeepStrictEqual({ ...held }, { ...record }))
      problems.push(`${name} has another ${id}: ${JSON.stringify(held)} instead of ${JSON.stringify(record)}`)
  }
  for (const [id, record] of records)
    if (!allowed.has(id)) problems.push(`${name} still has ${id} of block ${record.blockNumber}`)
  return problems
}

function isOfScope({ network, event, address, user }: ReaderScope, record: EventRecord): boolean {
  return (
    (network?.includes(record.network) ?? true) &&
    (event?.includes(record.event) ?? true) &&
    (address?.includes(record.address) ?? true) &&
    (user === undefined || hasUser(record, user))
  )
}
