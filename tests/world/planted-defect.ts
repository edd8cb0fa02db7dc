/** A plausible mistake in the code, planted by replacing a text that occurs exactly once in the file. */
export type PlantedDefect = ReturnType<typeof defectsIn>[number]

/**
 * The keys of `defects` have the form `name: sentence`. The values quote the file, with marks around what the mistake
 * removes (`[-…-]`) and what it adds (`{+…+}`), as in `git diff --word-diff`.
 */
export const defectsIn = (file: string, defects: Record<string, string>) =>
  Object.entries(defects).map(([title, change]) => {
    const [name = '', sentence = ''] = title.split(': ')
    const text = change.replace(/\{\+.*?\+\}/gs, '').replace(/\[-|-\]/g, '')
    const replacement = change.replace(/\[-.*?-\]/gs, '').replace(/\{\+|\+\}/g, '')
    return { name, sentence, file, text, replacement }
  })
