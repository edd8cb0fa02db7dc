import type { ComponentChildren, ComponentProps } from 'preact'
import { useState } from 'preact/hooks'

interface LazyDetailsOptions extends ComponentProps<'details'> {
  /** The line that is always visible. */
  head: ComponentChildren
}

/** A `details` element whose content is drawn when the reader unfolds it. */
export function LazyDetails({ head, children, ...rest }: LazyDetailsOptions) {
  const [isUnfolded, setUnfolded] = useState(rest.open)
  return (
    <details {...rest} onToggle={({ currentTarget: { open } }) => setUnfolded(open)}>
      <summary>{head}</summary>
      {isUnfolded && children}
    </details>
  )
}
