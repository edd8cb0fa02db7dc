import type { ComponentChildren } from 'preact'
import { type Parameters, writeQuestion } from '../question/question.ts'
import { shortHex } from '../show/short-texts.ts'
import { CopyButton, icon } from './copy-button.tsx'

export interface LinkToOptions {
  wallet?: string
  parameters?: Parameters
  title?: string
  children: ComponentChildren
}

export const LinkTo = ({ wallet, parameters = {}, title, children }: LinkToOptions) => (
  <a href={writeQuestion(wallet === undefined ? { parameters } : { wallet, parameters })} title={title}>
    {children}
  </a>
)

interface HexOptions {
  hex: string
  /** The type of the text, such as "address". */
  what: string
  /** The question that the link opens. Undefined if the text is not a link, for example the page's own wallet. */
  to?: Omit<LinkToOptions, 'title' | 'children'> | undefined
}

/** A shortened address or hash, whose full text appears on hover and can be copied. */
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

/** The other site does not learn the URL of this page. */
export const Away = ({ href, name, isNamed = false }: { href: string; name: string; isNamed?: boolean }) => (
  <a class="away" href={href} target="_blank" rel="noopener noreferrer" title={`On ${name}`}>
    <span class={isNamed ? '' : 'unseen'}>{name}</span>
    {icon('M6.5 3.5h-4v10h10v-4M9.5 2.5h4v4M13.5 2.5l-6 6')}
    <span class="unseen"> (opens another site)</span>
  </a>
)
