import { useEffect, useState } from 'preact/hooks'
import { CopyIcon, DoneIcon } from './icons.tsx'

const SHOWN_MS = 2000

interface CopyButtonOptions {
  text: string
  /** What it copies: "address". */
  what: string
  /** Says so in words, too. */
  isWide?: boolean
}

/** Copies a text whole, however short it is shown. */
export function CopyButton({ text, what, isWide = false }: CopyButtonOptions) {
  const [outcome, setOutcome] = useState<'copied' | 'not copied'>()
  useEffect(() => {
    if (!outcome) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    // Absent where the page came over plain HTTP from another machine.
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setOutcome(done ? 'copied' : 'not copied')
  }
  const label = `Copy ${isWide ? what : `${what} ${text}`}`
  return (
    <button type="button" class={isWide ? 'button' : 'copy'} onClick={copy} title={`Copy the ${what}`}>
      {outcome === 'copied' ? <DoneIcon /> : <CopyIcon />}
      <span class={isWide ? '' : 'unseen'} aria-live="polite">
        {outcome === undefined ? label : capital(outcome)}
      </span>
    </button>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
