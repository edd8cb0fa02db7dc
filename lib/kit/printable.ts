/** Any control character except tab and newline. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu

/** Escapes control characters in text before it is printed, because a terminal would execute them. */
export const printable = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Makes text safe to quote within a line. */
export const quotable = (text: string): string => printable(text.trim().replace(/\s+/g, ' '))

/** Returns a string such as `1 event` or `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/**
 * Removes credentials from URLs, because messages quote invalid values, which may be URLs with passwords. A password may
 * contain any character, so everything between a colon and the last `@` is treated as a part of it.
 */
export const withoutPasswords = (text: string): string =>
  text.replace(/(\/\/|(?:https?|wss?|postgres(?:ql)?):[\\/]*)(?:.*:.*|[^/\s']*)@/gi, '$1')
