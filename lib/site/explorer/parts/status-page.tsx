import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import {
  createEventsClient,
  type NetworkStatus,
  type ServiceStatus,
} from '../../../client/create-events-client.ts'
import { CHAINS } from '../../../events/networks.ts'
import { groupDigits } from '../show/short-texts.ts'
import { formatDate, formatTime, relativeTime } from '../show/times.ts'
import { focusOn } from '../state/place.ts'
import { errorInWords, useRetry } from './problem.tsx'

type Answer = { status: ServiceStatus } | { error: Error } | undefined

/** `baseUrl` ends with a slash. */
export function StatusPage({ baseUrl }: { baseUrl: string }) {
  const client = useMemo(() => createEventsClient(baseUrl), [baseUrl])
  const [answer, setAnswer] = useState<Answer>()
  const ask = useCallback(() => {
    client.status().then(
      status => setAnswer({ status }),
      error => setAnswer({ error }),
    )
  }, [client])
  const askAgain = () => {
    ask()
    focusOn('subject')
  }
  useRetry(answer && 'error' in answer ? answer.error : undefined, ask)
  useEffect(() => {
    document.title = 'Status · Blockchain events'
    for (const link of document.querySelectorAll('.bar nav a')) {
      if (link.getAttribute('href') === './?view=status') link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    ask()
  }, [ask])
  return (
    <>
      <header class="subject">
        <h2 tabIndex={-1} id="subject">
          Status
        </h2>
        <p class="quiet">
          How current each network is. Programs read this at <a href="v1/status">/v1/status</a>.
        </p>
      </header>
      <section
        class="card results"
        id="events"
        tabIndex={-1}
        aria-label="Networks"
        aria-busy={answer === undefined}
      >
        {answer === undefined && <div class="skeleton row" />}
        {answer && 'error' in answer && (
          <div class="empty">
            <h3>{errorInWords(answer.error).title}</h3>
            <p>{errorInWords(answer.error).detail}</p>
            <button type="button" class="button" onClick={askAgain}>
              Try again
            </button>
          </div>
        )}
        {answer && 'status' in answer && <Networks status={answer.status} />}
      </section>
      <p class="unseen" role="status">
        {answer && ('status' in answer ? counted(answer.status) : 'The status could not be read')}
      </p>
    </>
  )
}

const counted = ({ networks: { length } }: ServiceStatus) =>
  length === 1 ? '1 network is indexed' : `${length} networks are indexed`

const COLUMNS = ['Network', 'Indexed through', 'Final through', 'Audited through', 'Behind']

function Networks({ status: { networks, version } }: { status: ServiceStatus }) {
  if (networks.length === 0) {
    return (
      <div class="empty">
        <h3>No network is indexed</h3>
        <p>
          This service (version {version}) has no indexed block, so it is unknown whether its events are
          complete or final.
        </p>
        <p>
          <a href="./">The latest events</a>
        </p>
      </div>
    )
  }
  return (
    <>
      <table class="events status">
        <thead>
          <tr>
            {COLUMNS.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {networks.map(network => (
            <NetworkRow key={network.network} status={network} />
          ))}
        </tbody>
      </table>
      <p class="end quiet">
        {counted({ networks, version })}. Version {version}.
      </p>
    </>
  )
}

function NetworkRow({ status }: { status: NetworkStatus }) {
  const { network, indexedThrough, finalizedBlock, auditedThrough, lagSeconds } = status
  return (
    <tr>
      <th scope="row">{CHAINS[network]?.label ?? network}</th>
      <Block name="Indexed" block={indexedThrough} />
      <Block
        name="Final"
        block={finalizedBlock === undefined ? undefined : { blockNumber: finalizedBlock }}
      />
      <Block name="Audited" block={auditedThrough} />
      <td>
        <span class="label">Behind </span>
        {duration(lagSeconds)}
      </td>
    </tr>
  )
}

interface BlockOptions {
  /** The type of block, such as "Indexed". Shown only in narrow windows, which have no column headers. */
  name: string
  block: { blockNumber: number; timestamp?: string } | undefined
}

const Block = ({ name, block }: BlockOptions) => (
  <td>
    <span class="label">{name} </span>
    {block ? `block ${groupDigits(block.blockNumber)}` : <span class="quiet">unknown</span>}
    {block?.timestamp && (
      <span class="quiet">
        {' '}
        {formatDate(block.timestamp)} {formatTime(block.timestamp)}
      </span>
    )}
  </td>
)

const duration = (seconds: number): string =>
  relativeTime(new Date(0).toISOString(), seconds * 1000).replace(/ ago$/, '')
