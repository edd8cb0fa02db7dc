import { createContext } from 'preact'

/** Announces a sentence to screen readers, through the page's only live region. */
export const Announce = createContext<(sentence: string) => void>(() => {})
