import { html, inlineMarkdown, joined, markdown } from '../../../../lib/site/openapi/reference/html.ts'
import { valueForm } from '../../../../lib/site/openapi/reference/value-form.ts'

const HOSTILE = '"><script>alert(1)</script>\'&'

test('a string in HTML is escaped, in elements and in attributes', () => {
  const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;'

  expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('HTML within HTML is not escaped again, lists are joined, and missing values leave nothing', () => {
  const part = html`<b>${'<'}</b>`

  expect(html`${[part, 1, undefined, false]}${joined([part, part], ', ')}`.html).toBe(
    '<b>&lt;</b>1<b>&lt;</b>, <b>&lt;</b>',
  )
})

test('a description cannot add elements of its own', () => {
  expect(inlineMarkdown(`Send \`<id>\` ${HOSTILE}`).html).not.toContain('<script')
  expect(markdown(`One.\n\n${HOSTILE}`).html).not.toContain('<script')
})

test.each([
  [{ type: 'string', minLength: 35, maxLength: 55 }, 'string, 35 to 55 characters'],
  [{ type: 'string', minLength: 1 }, 'string, at least 1 character'],
  [{ type: 'integer', maximum: 9 }, 'integer, at most 9'],
  [{ type: 'integer', minimum: 1, default: 50 }, 'integer, at least 1; <code>50</code> by default'],
  [{ enum: ['asc', 'desc'] }, '<code>asc</code>, <code>desc</code>'],
  [{ $ref: '#/components/schemas/Minted' }, '<a href="#schema-Minted">Minted</a>'],
  [{ type: 'array', items: { type: 'string', pattern: '<' } }, 'list: string, of the form <code>&lt;</code>'],
  [
    { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, maxItems: 9 }] },
    'string; or a list of 1 to 9',
  ],
])('the form of %j is described in one line', (schema, told) => {
  expect(valueForm(schema).html).toBe(told)
})
