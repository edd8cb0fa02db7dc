import { useEffect } from 'preact/hooks'
import { readQuestion } from '../question/question.ts'
import type { Navigate } from './use-question.ts'

/** Links to other questions change the page in place, unless the reader wants them elsewhere. */
export function useLinks(navigate: Navigate): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => followLink(event, navigate)
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [navigate])
}

function followLink(event: MouseEvent, navigate: Navigate) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!isPlain || !link?.getAttribute('href')?.startsWith('?')) return
  event.preventDefault()
  navigate(readQuestion(link.search))
  window.scrollTo({ top: 0 })
  document.getElementById('subject')?.focus({ preventScroll: true })
}
