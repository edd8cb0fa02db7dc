import { Marked } from 'marked'

/** Text that is already HTML, so `html` does not escape it. */
export interface Html {
  html: string
}

export type Part = Html | string | number | false | undefined | readonly Part[]

/** Inserted text is escaped, except `Html`. Lists are concatenated, and undefined and false are omitted. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: String.raw({ raw: strings }, ...parts.map(written)),
})

export const joined = (parts: readonly Part[], separator: string): Part =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(written).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '')

/** Shows any HTML in a description as text, because descriptions mention `<…>` but contain no elements. */
const marked = new Marked({ renderer: { html: ({ text }) => html`${text}`.html } })

/** Converts the paragraphs of a description from CommonMark. */
export const markdown = (text: string): Html => ({ html: marked.parse(text, { async: false }).trim() })

/** Like `markdown`, but without a paragraph around the text. */
export const inlineMarkdown = (text: string): Html => ({ html: marked.parseInline(text, { async: false }) })
