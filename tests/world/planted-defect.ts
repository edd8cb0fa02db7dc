/** A plausible mistake in the code, planted by replacing a text that occurs exactly once in the file. */
export type PlantedDefect = ReturnType<typeof defectsIn>[number]

/** The keys of `defects` have the form `name: sentence`. */
export const defectsIn = (file: string, defects: Record<string, [text: string, replacement: string]>) =>
  Object.entries(defects).map(([title, [text, replacement]]) => {
    const [name = '', sentence = ''] = title.split(': ')
    return { name, sentence, file, text, replacement }
  })
