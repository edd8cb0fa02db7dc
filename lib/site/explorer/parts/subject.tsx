import type { Network } from '../../../client/records.ts'
import { CHAINS } from '../../../events/networks.ts'
import { onlyValue, type Question } from '../question/question.ts'
import { subjectOf } from '../question/subject-of.ts'
import { CopyButton } from './copy-button.tsx'
import { Away, LinkTo } from './link-to.tsx'

interface SubjectOptions {
  question: Question
  /** The networks of the shown events, except events of local chains. Undefined until the first response arrives. */
  networks: readonly Network[] | undefined
}

export function Subject({ question, networks }: SubjectOptions) {
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
      {/* The height is the same before the links arrive, so that nothing below them moves. */}
      {text && (
        <p class="elsewhere">
          {networks?.map(network => {
            const { url, name: site } = CHAINS[network].explorer
            const path = `${isAddress ? 'address' : 'tx'}/${text}`
            return <Away key={network} href={`${url}/${path}`} name={site} isNamed />
          })}
        </p>
      )}
    </header>
  )
}

/** A contract may also own tokens, so an address can be shown as a wallet or as a contract. */
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
