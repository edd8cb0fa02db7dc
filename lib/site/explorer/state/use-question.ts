import { useCallback, useEffect, useState } from 'preact/hooks'
import { type Question, readQuestion, writeQuestion } from '../question/question.ts'
import { keepScroll, readPlace } from './place.ts'

/** Shows a question, and writes it to the page's URL. */
export type Navigate = (question: Question) => void

export interface Asked {
  question: Question
  /** Whether the reader reloaded the view, or returned to it with the browser's buttons. */
  isReturn: boolean
}

export function useQuestion(): [Asked, Navigate] {
  const [asked, setAsked] = useState<Asked>(() => ({
    question: currentQuestion(),
    // `shown` is above 0 after a reload, and when the reader returns from another site.
    isReturn: readPlace().shown > 0,
  }))
  useEffect(() => {
    const onReturn = () => setAsked({ question: currentQuestion(), isReturn: true })
    window.addEventListener('popstate', onReturn)
    return () => window.removeEventListener('popstate', onReturn)
  }, [])
  const navigate = useCallback((question: Question) => {
    const address = writeQuestion(question) || window.location.pathname
    // If the URL already contains the question, the page sends the question's requests again, without a new history
    // entry.
    const isSame = writeQuestion(question) === writeQuestion(currentQuestion())
    if (!isSame) keepScroll()
    window.history[isSame ? 'replaceState' : 'pushState'](null, '', address)
    setAsked({ question, isReturn: false })
  }, [])
  return [asked, navigate]
}

const currentQuestion = () => readQuestion(window.location.search)
