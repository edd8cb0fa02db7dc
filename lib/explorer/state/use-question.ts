import { useCallback, useEffect, useState } from 'preact/hooks'
import { type Question, readQuestion, writeQuestion } from '../question/question.ts'

/** Shows another question, and writes it into the address line. */
export type Navigate = (question: Question) => void

export interface Asked {
  question: Question
  /** Whether the reader has come back to it, by the browser's own buttons. */
  isReturn: boolean
}

/** The question of the address line, as it changes. */
export function useQuestion(): [Asked, Navigate] {
  const [asked, setAsked] = useState<Asked>(() => ({ question: currentQuestion(), isReturn: false }))
  useEffect(() => {
    const onReturn = () => setAsked({ question: currentQuestion(), isReturn: true })
    window.addEventListener('popstate', onReturn)
    return () => window.removeEventListener('popstate', onReturn)
  }, [])
  const navigate = useCallback((question: Question) => {
    const address = writeQuestion(question) || window.location.pathname
    // Asked again, it is answered anew, and the way back does not grow.
    const isSame = writeQuestion(question) === writeQuestion(currentQuestion())
    window.history[isSame ? 'replaceState' : 'pushState'](null, '', address)
    setAsked({ question, isReturn: false })
  }, [])
  return [asked, navigate]
}

const currentQuestion = () => readQuestion(window.location.search)
