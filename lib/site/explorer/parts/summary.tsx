import type { ComponentChildren } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { EventRecord } from '../../../client/records.ts'
import { KIND_LABELS } from '../../../events/event-kinds.ts'
import { CHAINS } from '../../../events/networks.ts'
import { type Count, countEvents, type TokenUnits } from '../occurrence/count-events.ts'
import type { Question } from '../question/question.ts'
import { counted, groupDigits, shortHex } from '../show/short-texts.ts'
import { formatDate, formatTime } from '../show/times.ts'
import { isLocal, LocalContracts } from '../state/local-contracts.ts'
import { LinkTo, type LinkToOptions } from './link-to.tsx'
import { shortQuantity } from './token-items.tsx'

interface SummaryOptions {
  question: Question
  records: readonly EventRecord[]
  isAll: boolean
  isOpen: boolean
}

/** The summary covers only the loaded events if there are too many events to read. */
export function Summary({ question, records, isAll, isOpen }: SummaryOptions) {
  const counts = useMemo(() => countEvents(records, question), [records, question])
  const locals = useContext(LocalContracts)
  const ofLocalChain = records.filter(record => isLocal(record, locals)).length
  if (records.length === 0) return null
  const { span, networks, kinds, relations, parties, contracts, tokens } = counts
  const { wallet, parameters } = question
  const named = <Value,>(values: readonly Count<Value>[], nameOf: (value: Value) => string) =>
    values.map(([value, times]) => `${nameOf(value)} ${groupDigits(times)}`).join(' · ')
  const events = counted(records.length, 'event')
  return (
    <details class="card summary" aria-label="Summary" open={isOpen}>
      <summary>
        <h3>Summary</h3>{' '}
        <span class="quiet">
          {isAll ? `of ${records.length > 1 ? 'all ' : ''}${events}` : `of the first ${events} only`}
        </span>
      </summary>
      <dl class="facts">
        <Fact name="First and last">{spanOf(...span)}</Fact>
        <Fact name="Networks">{named(networks, network => CHAINS[network].label)}</Fact>
        {'transactionHash' in parameters && <Fact name="Block">{blocksOf(records)}</Fact>}
        <Fact name="Kinds">{named(kinds, kind => KIND_LABELS[kind])}</Fact>
        {relations.length > 0 && <Fact name="Transfers">{named(relations, relation => relation)}</Fact>}
        {tokens.length > 0 && <Fact name="Units">{unitsOf(tokens)}</Fact>}
        {parties.length > 0 && (
          <Fact name={wallet === undefined ? 'Addresses' : 'Counterparties'}>
            <MostOf counts={parties} linkOf={wallet => ({ wallet })} />
          </Fact>
        )}
        {!('address' in parameters) && (
          <Fact name="Token contracts">
            <MostOf counts={contracts} linkOf={address => ({ parameters: { address: [address] } })} />
          </Fact>
        )}
      </dl>
      {ofLocalChain > 0 && (
        <p class="note">
          {ofLocalChain === records.length ? 'These events are' : 'Events marked “local chain” are'} from a
          local chain, not from the networks that they name.
        </p>
      )}
    </details>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function spanOf(first: string, last: string): string {
  if (first === last) return `${formatDate(first)}, ${formatTime(first)}`
  const [from, to] = [formatDate(first), formatDate(last)]
  return from === to ? `${from}, ${formatTime(first)} – ${formatTime(last)}` : `${from} – ${to}`
}

/** Lists all blocks, because several networks may have a transaction with the same hash. */
const blocksOf = (records: readonly EventRecord[]) =>
  [...new Map(records.map(record => [`${record.network} ${record.blockNumber}`, record])).values()].map(
    ({ network, blockNumber }) => (
      <span key={network} class="block">
        <LinkTo
          parameters={{
            network: [network],
            fromBlock: [String(blockNumber)],
            toBlock: [String(blockNumber)],
          }}
        >
          {groupDigits(blockNumber)}
        </LinkTo>
      </span>
    ),
  )

const unitsOf = (tokens: readonly TokenUnits[]) =>
  tokens.map(({ network, address, minted, burned }) => (
    <span key={network + address} class="block">
      {tokens.length > 1 && `${CHAINS[network].label} ${shortHex(address)}: `}
      minted <span class="gain">+{shortQuantity(String(minted))}</span>, burned{' '}
      <span class="loss">−{shortQuantity(String(burned))}</span>
    </span>
  ))

interface MostOfOptions {
  counts: readonly Count<string>[]
  linkOf: (address: string) => Omit<LinkToOptions, 'children'>
}

function MostOf({ counts, linkOf }: MostOfOptions) {
  const [most] = counts
  if (!most) return null
  const [address, times] = most
  return (
    <>
      {groupDigits(counts.length)}
      <span class="quiet">
        {counts.length === 1 ? ': ' : `, most often (${groupDigits(times)} ×) `}
        <LinkTo {...linkOf(address)} title={address}>
          {shortHex(address)}
        </LinkTo>
      </span>
    </>
  )
}
