import { useEffect, useState } from 'preact/hooks'

/** The width up to which `explorer.css` shows each event as a card. */
const NARROW = '(max-width: 760px)'

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches)
  useEffect(() => {
    const media = window.matchMedia(NARROW)
    const onChange = () => setNarrow(media.matches)
    media.addEventListener('change', onChange)
    return () => media.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
