/** A plausible mistake in the code, planted by replacing an exact text. */
export interface PlantedDefect {
  name: string
  sentence: string
  file: string
  /** Occurs exactly once in the file. */
  text: string
  replacement: string
}

export const defect = (
  name: string,
  sentence: string,
  file: string,
  text: string,
  replacement: string,
): PlantedDefect => ({ name, sentence, file, text, replacement })
