/** Any control character except the tab and the newline. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu

/** Makes a text safe to print, because a terminal would execute the control characters of a quoted file. */
export const printable = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Makes a text safe to quote within a line. */
export const quotable = (text: string): string => printable(text.trim().replace(/\s+/g, ' '))

/** Returns a number with its noun: `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`
