import { useCallback, useEffect, useState } from 'preact/hooks'
import { type Question, readQuestion, writeQuestion } from '../question/question.ts'
import { keepScroll, readPlace } from './place.ts'

/** Shows a question, and writes the question into the page's URL. */
export type Navigate = (question: Question) => void

export interface Asked {
  question: Question
  /** Whether the reader has returned to the view, by the browser's own buttons or by a reload. */
  isReturn: boolean
}

/** Returns the question in the page's URL, and a function that shows a different question. */
export function useQuestion(): [Asked, Navigate] {
  const [asked, setAsked] = useState<Asked>(() => ({
    question: currentQuestion(),
    // A reloaded page has shown records before, and so has a page to which the reader returns from another site.
    isReturn: readPlace().shown > 0,
  }))
  useEffect(() => {
    const onReturn = () => setAsked({ question: currentQuestion(), isReturn: true })
    window.addEventListener('popstate', onReturn)
    return () => window.removeEventListener('popstate', onReturn)
  }, [])
  const navigate = useCallback((question: Question) => {
    const address = writeQuestion(question) || window.location.pathname
    // A question that is already in the URL is sent again, but gets no new history entry.
    const isSame = writeQuestion(question) === writeQuestion(currentQuestion())
    if (!isSame) keepScroll()
    window.history[isSame ? 'replaceState' : 'pushState'](null, '', address)
    setAsked({ question, isReturn: false })
  }, [])
  return [asked, navigate]
}

const currentQuestion = () => readQuestion(window.location.search)
