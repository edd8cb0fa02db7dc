import type { ComponentChildren } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { Network } from '../../../client/records.ts'
import { CHAINS } from '../../../events/networks.ts'
import { kindLabel } from '../occurrence/kind-labels.ts'
import type { Occurrence } from '../occurrence/occurrences-of.ts'
import { type Count, type Summary as Sums, summarise } from '../occurrence/summarise.ts'
import { onlyValue, type Question } from '../question/question.ts'
import { counted, groupDigits, shortHex } from '../show/short-texts.ts'
import { formatDate, formatTime, relativeTime } from '../show/times.ts'
import { isLocal, LocalContracts } from '../state/local-contracts.ts'
import { capital } from './event-row.tsx'
import { LinkTo } from './link-to.tsx'
import { shortQuantity } from './token-items.tsx'

interface SummaryOptions {
  question: Question
  occurrences: readonly Occurrence[]
  /** Whether the shown occurrences are all occurrences of the question. */
  isAll: boolean
  nowMs: number
}

/** The summary of the shown events. Needs no further requests. */
export function Summary({ question, occurrences, isAll, nowMs }: SummaryOptions) {
  const { wallet } = question
  const tokenId = decimal(onlyValue(question, 'tokenId'))
  const sums = useMemo(() => summarise(occurrences, { wallet, tokenId }), [occurrences, wallet, tokenId])
  const locals = useContext(LocalContracts)
  const ofLocalChain = occurrences.filter(({ records: [record] }) => isLocal(record, locals)).length
  if (!sums) return null
  const events = occurrences.reduce((sum, { records }) => sum + records.length, 0)
  return (
    <section class="card summary" aria-label="Summary">
      <header>
        <h3>Summary</h3>
        <p class="quiet">
          {isAll
            ? `of ${events > 1 ? 'all ' : ''}${counted(events, 'event')}`
            : `of the ${counted(events, 'event')} shown`}
          {events > occurrences.length && `, in ${counted(occurrences.length, 'row')}`}
        </p>
      </header>
      <dl class="facts">
        {'transactionHash' in question.parameters ? (
          <TransactionFacts sums={sums} occurrences={occurrences} nowMs={nowMs} />
        ) : (
          <Facts sums={sums} question={question} />
        )}
      </dl>
      {ofLocalChain > 0 && (
        <p class="note">
          {ofLocalChain === occurrences.length ? 'These events were' : 'Events marked “local chain” were'}{' '}
          created on a local chain, to show what the service can do. They never happened on the networks that
          they name.
        </p>
      )}
    </section>
  )
}

/** Converts a question's token id, which may be in hex, to the decimal digits that records have. */
function decimal(tokenId: string): string | undefined {
  return /^(\d+|0x[\da-f]+)$/i.test(tokenId) ? String(BigInt(tokenId)) : undefined
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Facts({ sums, question }: { sums: Sums; question: Question }) {
  const { span, networks, kinds, relations, parties, contracts, tokens } = sums
  const [first, last] = span
  return (
    <>
      <Fact name="First and last">{spanOf(first.createdAt, last.createdAt)}</Fact>
      <Fact name="Networks">
        {inWords(networks.map(([network, times]) => [CHAINS[network].label, times]))}
      </Fact>
      <Fact name="Kinds">{inWords(kinds.map(([kind, times]) => [kindLabel(kind), times]))}</Fact>
      {relations.length > 0 && (
        <Fact name="Relation">
          {inWords(relations.map(([relation, times]) => [capital(relation), times]))}
        </Fact>
      )}
      {tokens.length > 0 && (
        <>
          <Fact name="Transfers">
            {groupDigits(tokens.reduce((sum, { transfers }) => sum + transfers, 0))}
          </Fact>
          <Fact name="Minted">
            <Totals of={tokens.map(({ network, minted }) => [network, minted])} sign="+" />
          </Fact>
          <Fact name="Burned">
            <Totals of={tokens.map(({ network, burned }) => [network, burned])} sign="−" />
          </Fact>
        </>
      )}
      {parties.length > 0 && (
        <Fact name={question.wallet === undefined ? 'Addresses' : 'Counterparties'}>
          <MostOf counts={parties} linkTo={wallet => ({ wallet })} />
        </Fact>
      )}
      {!('address' in question.parameters) && (
        <Fact name="Token contracts">
          <MostOf counts={contracts} linkTo={address => ({ parameters: { address: [address] } })} />
        </Fact>
      )}
    </>
  )
}

/** The first and the last date. If both dates are the same day, this day with the first and the last time. */
function spanOf(first: string, last: string): string {
  if (first === last) return `${formatDate(first)}, ${formatTime(first)}`
  const [from, to] = [formatDate(first), formatDate(last)]
  return from === to ? `${from}, ${formatTime(first)} – ${formatTime(last)}` : `${from} – ${to}`
}

interface TotalsOptions {
  of: readonly (readonly [Network, bigint])[]
  sign: '+' | '−'
}

/** A quantity for each network. With several networks, names the networks whose quantity is not 0. */
function Totals({ of, sign }: TotalsOptions) {
  const [only, ...more] = of
  const some = of.filter(([, quantity]) => quantity !== 0n)
  if (some.length === 0) return <>0</>
  if (only && more.length === 0) return <Total quantity={only[1]} sign={sign} />
  return (
    <>
      {some.map(([network, quantity]) => (
        <span key={network} class="block">
          {CHAINS[network].label} <Total quantity={quantity} sign={sign} />
        </span>
      ))}
    </>
  )
}

const Total = ({ quantity, sign }: { quantity: bigint; sign: '+' | '−' }) => (
  <span class={sign === '+' ? 'gain' : 'loss'}>
    {sign}
    {shortQuantity(String(quantity))}
  </span>
)

const inWords = (counts: readonly Count<string>[]) =>
  counts.map(([name, times]) => `${name} ${groupDigits(times)}`).join(' · ')

interface MostOfOptions {
  counts: readonly Count<string>[]
  linkTo: (address: string) => { wallet: string } | { parameters: Record<string, string[]> }
}

/** The number of different values, and the most frequent value. */
function MostOf({ counts, linkTo }: MostOfOptions) {
  const [most] = counts
  if (!most) return <>none</>
  const [address, times] = most
  return (
    <>
      {groupDigits(counts.length)}
      <span class="quiet">
        {counts.length === 1 ? ': ' : `, most ${groupDigits(times)} × `}
        <LinkTo {...linkTo(address)} title={address}>
          {shortHex(address)}
        </LinkTo>
      </span>
    </>
  )
}

interface TransactionFactsOptions {
  sums: Sums
  occurrences: readonly Occurrence[]
  nowMs: number
}

/** The facts about a transaction. Several networks may have a transaction with the same hash. */
function TransactionFacts({ sums, occurrences, nowMs }: TransactionFactsOptions) {
  const [{ createdAt }] = sums.span
  const blocks = new Map(
    occurrences.map(({ records: [{ network, blockNumber }] }) => [
      `${network}:${blockNumber}`,
      { network, blockNumber },
    ]),
  )
  return (
    <>
      <Fact name="Network and block">
        {[...blocks].map(([key, { network, blockNumber }]) => (
          <span key={key} class="block">
            {CHAINS[network].label}{' '}
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
        ))}
      </Fact>
      <Fact name="Time (UTC)">
        {formatDate(createdAt)} {formatTime(createdAt)}{' '}
        <span class="quiet">{relativeTime(createdAt, nowMs)}</span>
      </Fact>
      <Fact name="Token contracts">
        <MostOf counts={sums.contracts} linkTo={address => ({ parameters: { address: [address] } })} />
      </Fact>
      <Fact name="Addresses">
        <MostOf counts={sums.parties} linkTo={wallet => ({ wallet })} />
      </Fact>
    </>
  )
}
