import { type ComponentChildren, createContext } from 'preact'
import { useState } from 'preact/hooks'

/** Announces a sentence to screen readers through the live region. */
export const Announce = createContext<(sentence: string) => void>(() => {})

/** An announcement does not redraw the rest of the page. */
export function Announcer({ children }: { children: ComponentChildren }) {
  const [said, setSaid] = useState('')
  return (
    <Announce.Provider value={setSaid}>
      {children}
      <p class="unseen" role="status">
        {said}
      </p>
    </Announce.Provider>
  )
}
