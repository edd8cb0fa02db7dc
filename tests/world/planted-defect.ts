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

export const defect = (
  name: string,
  sentence: string,
  file: string,
  text: string,
  replacement: string,
): PlantedDefect => ({
  name,
  sentence,
  file,
  text,
  replacement,
})
