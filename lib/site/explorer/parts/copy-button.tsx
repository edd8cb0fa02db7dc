import { useContext, useEffect, useState } from 'preact/hooks'
import { Announce } from './announcer.tsx'

const SHOWN_MS = 2000
const COPY = 'M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z'
const DONE = 'M2.5 8.5l3.5 3.5 7.5-8'

interface CopyButtonOptions {
  text: string
  /** The type of the text, such as "address". */
  what: string
  isWide?: boolean
}

/** Copies the whole text, even where the page shows it shortened. */
export function CopyButton({ text, what, isWide = false }: CopyButtonOptions) {
  const announce = useContext(Announce)
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied'>()
  useEffect(() => {
    if (!outcome) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    // `clipboard` is undefined if the page was loaded from another machine over plain HTTP.
    const copied = navigator.clipboard?.writeText(text).then(() => 'Copied' as const)
    const told = (await copied?.catch(() => undefined)) ?? 'Not copied'
    setOutcome(told)
    announce(`${told}: ${what}`)
  }
  return (
    <button
      type="button"
      class={isWide ? 'button small' : 'copy'}
      onClick={copy}
      title={`Copy the ${what}`}
      aria-label={isWide ? undefined : `Copy ${what} ${text}`}
    >
      {icon(outcome === 'Copied' ? DONE : COPY)}
      {isWide && (outcome ?? `Copy ${what}`)}
    </button>
  )
}

/**
 * The path is on a 16-pixel grid. Icons are functions, which are cheaper than components, because each row has several
 * icons.
 */
export const icon = (path: string) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={path} />
  </svg>
)
