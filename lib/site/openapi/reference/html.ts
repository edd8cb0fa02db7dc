import { Marked } from 'marked'

/** Text that is HTML already. `html` does not escape it. */
export interface Html {
  html: string
}

export type Part = Html | string | number | false | undefined | readonly Part[]

/**
 * Builds HTML from a template. Escapes inserted text, but not `Html` values. Joins lists, and omits undefined and false
 * values.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: String.raw({ raw: strings }, ...parts.map(written)),
})

/** Joins the items of a list, with the given text between them. */
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

/** Shows HTML in a description as text, because descriptions mention `<…>` and contain no elements. */
const marked = new Marked({ renderer: { html: ({ text }) => html`${text}`.html } })

/** The paragraphs of a description (CommonMark). */
export const markdown = (text: string): Html => ({ html: marked.parse(text, { async: false }).trim() })

/** A description within a line. */
export const inlineMarkdown = (text: string): Html => ({ html: marked.parseInline(text, { async: false }) })
