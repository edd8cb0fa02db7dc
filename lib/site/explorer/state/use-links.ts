import { useEffect } from 'preact/hooks'
import { readQuestion } from '../question/question.ts'
import { focusOn } from './place.ts'
import type { Navigate } from './use-question.ts'

/** Shows the question of a clicked link without reloading the page, unless the click opens a new tab or window. */
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
  const href = link?.getAttribute('href') ?? ''
  if (!isPlain || !link) return
  if (href.startsWith('#')) return goTo(href.slice(1), event)
  if (!href.startsWith('?')) return
  event.preventDefault()
  navigate(readQuestion(link.search))
  window.scrollTo({ top: 0 })
  focusOn('subject')
}

/** Scrolls to an element without changing the URL, because the URL contains only the question. */
function goTo(id: string, event: MouseEvent) {
  const target = document.getElementById(id)
  if (!target) return
  event.preventDefault()
  target.scrollIntoView()
  target.focus({ preventScroll: true })
}
