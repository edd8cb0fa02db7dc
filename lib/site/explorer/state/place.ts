/** The reader's scroll position in a view, which survives a reload, because the view's history entry contains it. */
export interface Place {
  shown: number
  /** The id of the topmost visible row, and its distance from the top of the window in pixels. */
  row?: string
  top?: number
  /** The page's scroll position in pixels, used if `row` is missing. */
  y: number
}

export function readPlace(): Place {
  const state = window.history.state as Partial<Place> | null
  return { shown: 0, y: 0, ...state }
}

export function keepPlace(part: Partial<Place>): void {
  window.history.replaceState({ ...window.history.state, ...part }, '')
}

/**
 * Stores the scroll position in pixels and as a row, because a row can be found again even if content above it has
 * grown.
 */
export function keepScroll(): void {
  const row = [...document.querySelectorAll<HTMLElement>('tr[data-id]')].find(
    each => each.getBoundingClientRect().bottom > 0,
  )
  const isScrolled = row !== undefined && window.scrollY > 0
  const { top } = row?.getBoundingClientRect() ?? { top: 0 }
  keepPlace({ y: window.scrollY, row: isScrolled ? (row.dataset.id ?? '') : '', top })
}

/** Scrolls to a position. If the position has a row, this row must already be drawn. */
export function returnTo({ row, top = 0, y }: Place): void {
  const target = row ? document.querySelector(`tr[data-id="${CSS.escape(row)}"]`) : null
  const distance = target ? window.scrollY + target.getBoundingClientRect().top - top : y
  window.scrollTo({ top: distance, behavior: 'instant' })
}

/** Moves the focus, which would otherwise be lost when a pressed button disappears. */
export const focusOn = (id: 'subject' | 'activity') =>
  document.getElementById(id)?.focus({ preventScroll: true })
