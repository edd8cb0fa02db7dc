/** A mistake that somebody could make, put into the code as a replacement of its exact text. */
export interface PlantedDefect {
  name: string
  /** What is wrong, as a sentence. */
  sentence: string
  file: string
  /** Text that the file contains once. */
  text: string
  replacement: string
}

export const PLANTED_DEFECTS: readonly PlantedDefect[] = []
