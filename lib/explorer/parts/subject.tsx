import { CHAINS } from '../../events/networks.ts'
import { onlyValue, type Question } from '../question/question.ts'
import { subjectOf } from '../question/subject-of.ts'
import { CopyButton } from './copy-button.tsx'
import { Away, LinkTo } from './link-to.tsx'

interface SubjectOptions {
  question: Question
}

/** What the events are those of, as the heading of what follows. */
export function Subject({ question }: SubjectOptions) {
  const { name, text, tokenId } = subjectOf(question)
  const { wallet } = question
  const isAddress = wallet !== undefined || name !== 'Transaction'
  const contract = wallet === undefined ? '' : onlyValue(question, 'address')
  return (
    <header class="subject">
      {text && isAddress && <Readings address={text} isWallet={wallet !== undefined} />}
      <h2 tabIndex={-1} id="subject">
        {name}
      </h2>
      {text && <Whole text={text} what={name.toLowerCase()} />}
      {tokenId && <Whole text={tokenId} what="token id" />}
      {contract && (
        <p class="quiet">
          with token contract <span class="whole">{contract}</span>
        </p>
      )}
      {text && isAddress && <Elsewhere path={`address/${text}`} />}
    </header>
  )
}

/** A contract may hold tokens itself, and an address does not tell which is meant. */
const Readings = ({ address, isWallet }: { address: string; isWallet: boolean }) => (
  <nav class="tabs" aria-label="What the address is">
    <span aria-current={isWallet ? 'page' : undefined}>
      <LinkTo wallet={address}>As a wallet</LinkTo>
    </span>
    <span aria-current={isWallet ? undefined : 'page'}>
      <LinkTo parameters={{ address: [address] }}>As a token contract</LinkTo>
    </span>
  </nav>
)

const Whole = ({ text, what }: { text: string; what: string }) => (
  <p class="whole">
    {what === 'token id' && '#'}
    {text} <CopyButton text={text} what={what} />
  </p>
)

const Elsewhere = ({ path }: { path: string }) => (
  <p class="elsewhere">
    {Object.values(CHAINS).map(({ explorer }) => (
      <Away key={explorer.url} href={`${explorer.url}/${path}`}>
        {explorer.name}
      </Away>
    ))}
  </p>
)
