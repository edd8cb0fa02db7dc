/** A number with its noun: `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`
