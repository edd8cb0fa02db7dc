import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import type { Question } from '../question/question.ts'
import { searchFor } from '../question/subject-of.ts'
import type { Found } from '../state/find-question.ts'
import { loadLater } from '../state/load-later.ts'
import type { Navigate } from '../state/use-question.ts'
import { Announce } from './announcer.tsx'

interface SearchFormOptions {
  question: Question
  client: EventsClient
  navigate: Navigate
  refusal?: string | undefined
}

export function SearchForm({ question, client, navigate, refusal }: SearchFormOptions) {
  const announce = useContext(Announce)
  const field = useRef<HTMLInputElement>(null)
  const subject = searchFor(question)
  /** A message, and the subject for which it is shown. */
  const [said, setSaid] = useState<{ hint?: string | undefined; with: string }>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (field.current) field.current.value = subject
    setSaid(before => (before?.with === subject ? before : undefined))
  }, [subject])

  const search = async (event: Event) => {
    event.preventDefault()
    const { href } = window.location
    setBusy(true)
    const found: Found = await loadLater().then(
      later => later.findQuestion(field.current?.value ?? '', client),
      () => ({ hint: 'The search script could not be loaded. Try again.' }),
    )
    setBusy(false)
    // A late answer must not replace what the reader has opened in the meantime.
    if (window.location.href !== href) return
    setSaid({ hint: found.hint, with: found.question ? searchFor(found.question) : subject })
    if (found.question) navigate(found.question)
    else field.current?.focus()
  }
  const hint = (said?.with === subject && said.hint) || refusal
  useEffect(() => {
    if (hint !== undefined) announce(hint)
  }, [hint, announce])
  return (
    <search>
      <form class="search" onSubmit={search} aria-busy={isBusy}>
        <label for="search">Wallet, token, transaction, block or day</label>
        <div class="search-row">
          <input
            id="search"
            ref={field}
            type="search"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            enterkeyhint="search"
            placeholder="0x… address, 0x…:id, transaction hash, block number, 2024-04-01"
            aria-invalid={hint !== undefined}
            aria-describedby="search-hint"
          />
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? 'Looking…' : 'Look up'}
          </button>
        </div>
        <p id="search-hint" class="refusal">
          {hint}
        </p>
      </form>
    </search>
  )
}
