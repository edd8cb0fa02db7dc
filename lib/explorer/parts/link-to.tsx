import type { ComponentChildren } from 'preact'
import { type Parameters, writeQuestion } from '../question/question.ts'
import { shortHex } from '../show/short-texts.ts'
import { CopyButton } from './copy-button.tsx'
import { AwayIcon } from './icons.tsx'

interface LinkToOptions {
  wallet?: string
  parameters?: Parameters
  title?: string
  children: ComponentChildren
}

/** A link to another question on this page. */
export const LinkTo = ({ wallet, parameters = {}, title, children }: LinkToOptions) => (
  <a href={writeQuestion(wallet === undefined ? { parameters } : { wallet, parameters })} title={title}>
    {children}
  </a>
)

interface HexOptions {
  hex: string
  /** What it is: "address". */
  what: string
  /** Where it leads; nowhere, if it is what is looked at. */
  to?: Omit<LinkToOptions, 'title' | 'children'> | undefined
}

/** An address or a hash, short, with its whole text to copy and to read by pointing at it. */
export const Hex = ({ hex, what, to }: HexOptions) => (
  <span class="hex">
    {to ? (
      <LinkTo {...to} title={hex}>
        {shortHex(hex)}
      </LinkTo>
    ) : (
      <b title={hex}>{shortHex(hex)}</b>
    )}
    <CopyButton text={hex} what={what} />
  </span>
)

interface AwayOptions {
  href: string
  children: ComponentChildren
}

/** A link to somebody else's page, which is not told where its reader comes from. */
export const Away = ({ href, children }: AwayOptions) => (
  <a class="away" href={href} target="_blank" rel="noopener noreferrer">
    {children}
    <AwayIcon />
    <span class="unseen"> (opens another site)</span>
  </a>
)
