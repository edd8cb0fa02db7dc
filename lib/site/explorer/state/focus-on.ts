/**
 * Moves the focus to a heading, such as `subject`. Without this call, the focus is lost when a button disappears with
 * its press.
 */
export const focusOn = (id: 'subject' | 'activity') =>
  document.getElementById(id)?.focus({ preventScroll: true })
