import { useContext, useEffect, useState } from 'preact/hooks'
import { Announce } from '../state/announce.ts'
import { CopyIcon, DoneIcon } from './icons.tsx'

const SHOWN_MS = 2000

interface CopyButtonOptions {
  text: string
  /** What the text is, such as "address". */
  what: string
  /** Whether the button has a label beside its icon. */
  isWide?: boolean
}

/** A button that copies the whole text, even if the page shows a short form. */
export function CopyButton({ text, what, isWide = false }: CopyButtonOptions) {
  const announce = useContext(Announce)
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied'>()
  useEffect(() => {
    if (!outcome) return undefined
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    // `clipboard` is undefined if the page was loaded over plain HTTP from another machine.
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
      {outcome === 'Copied' ? <DoneIcon /> : <CopyIcon />}
      {isWide && (outcome ?? `Copy ${what}`)}
    </button>
  )
}
