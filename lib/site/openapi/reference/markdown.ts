import { Marked } from 'marked'
import { type Html, html } from './html.ts'

/** Shows HTML in a description as text, because descriptions mention `<…>` and contain no elements. */
const marked = new Marked({ renderer: { html: ({ text }) => html`${text}`.html } })

/** The paragraphs of a description (CommonMark). */
export const markdown = (text: string): Html => ({ html: marked.parse(text, { async: false }).trim() })

/** A description within a line. */
export const inlineMarkdown = (text: string): Html => ({ html: marked.parseInline(text, { async: false }) })
