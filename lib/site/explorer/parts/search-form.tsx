import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import type { Question } from '../question/question.ts'
import { searchFor } from '../question/subject-of.ts'
import { Announce } from '../state/announce.ts'
import { findQuestion } from '../state/find-question.ts'
import type { Navigate } from '../state/use-question.ts'

interface SearchFormOptions {
  question: Question
  client: EventsClient
  navigate: Navigate
  /** The message about a fault in the wallet's address. */
  refusal?: string | undefined
}

/** The search field, with a message about a mistake in the text. */
export function SearchForm({ question, client, navigate, refusal }: SearchFormOptions) {
  const announce = useContext(Announce)
  const field = useRef<HTMLInputElement>(null)
  const [hint, setHint] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const subject = searchFor(question)
  useEffect(() => {
    if (field.current) field.current.value = subject
    setHint(undefined)
  }, [subject])

  const search = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    const found = await findQuestion(field.current?.value ?? '', client)
    setBusy(false)
    setHint(found.hint)
    if (found.question) navigate(found.question)
    else field.current?.focus()
  }
  const wrong = hint ?? refusal
  useEffect(() => {
    if (wrong !== undefined) announce(wrong)
  }, [wrong, announce])
  return (
    <search>
      <form class="search" onSubmit={search} aria-busy={isBusy}>
        <label for="search">Wallet, token, transaction or block</label>
        <div class="search-row">
          <input
            id="search"
            ref={field}
            type="search"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            enterkeyhint="search"
            placeholder="0x… address, 0x…:id, transaction hash, block number"
            aria-invalid={wrong !== undefined}
            aria-describedby="search-hint"
          />
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? 'Looking…' : 'Look up'}
          </button>
        </div>
        <p id="search-hint" class="refusal">
          {wrong}
        </p>
      </form>
    </search>
  )
}
