/** A plausible mistake in the code, planted by replacing an exact text, which occurs only once in the file. */
export type PlantedDefect = ReturnType<typeof defectsIn>[number]

/** Defects by `name: sentence`. */
export const defectsIn = (file: string, defects: Record<string, [text: string, replacement: string]>) =>
  Object.entries(defects).map(([title, [text, replacement]]) => {
    const [name = '', sentence = ''] = title.split(': ')
    return { name, sentence, file, text, replacement }
  })
