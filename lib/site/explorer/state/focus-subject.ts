/**
 * Moves the focus to the heading that names the subject. Without this call, the focus is lost when a button disappears
 * with its press.
 */
export const focusSubject = () => document.getElementById('subject')?.focus({ preventScroll: true })
