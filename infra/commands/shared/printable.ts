/** Control characters but for the tab and the end of a line. */
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]/gu

/** A text as it may be written to a terminal, which would obey the control characters of a file that is quoted. */
export const printable = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A text that is quoted within a line. */
export const quotable = (text: string): string => printable(text.trim().replace(/\s+/g, ' '))
