/**
 * Applies the reader's theme to all pages of the service: light, dark, or the system's. Runs before a page is drawn, so
 * that the page never appears in the wrong theme. Dispatches `themechange` on the document after every change.
 */
;(() => {
  const KEY = 'theme'
  const CHOICES = ['system', 'light', 'dark']
  const root = document.documentElement
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  let choice = read()

  wear()
  system.addEventListener('change', wear)
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme')
    label(button)
    button.hidden = false
    button.addEventListener('click', () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length]
      keep()
      wear()
      label(button)
    })
  })

  function wear() {
    const isDark = choice === 'system' ? system.matches : choice === 'dark'
    root.dataset.theme = isDark ? 'dark' : 'light'
    document.dispatchEvent(new CustomEvent('themechange'))
  }

  function label(button) {
    button.textContent = `Theme: ${choice}`
  }

  /** A browser may refuse access to its storage. */
  function read() {
    try {
      const kept = localStorage.getItem(KEY)
      return CHOICES.includes(kept) ? kept : 'system'
    } catch {
      return 'system'
    }
  }

  function keep() {
    try {
      localStorage.setItem(KEY, choice)
    } catch {}
  }
})()
