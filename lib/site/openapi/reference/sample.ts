import { type Html, html } from './html.ts'

interface Sample {
  title: string
  value: unknown
  isOpen?: boolean
}

/** An example of an answer, folded unless `isOpen` is set. Shows texts unchanged, and other values as JSON. */
export function sample({ title, value, isOpen }: Sample): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const kind = typeof value === 'string' ? 'text' : 'json'
  return html`<details class="sample"${isOpen && html` open`}><summary>${title}</summary><pre tabindex="0"><code class="${kind}">${text}</code></pre></details>`
}
