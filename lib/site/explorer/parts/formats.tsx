import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { fileNameOf } from '../question/subject-of.ts'
import { counted, groupDigits } from '../show/short-texts.ts'
import { loadLater } from '../state/load-later.ts'
import type { Events } from '../state/use-events.ts'
import { Announce } from './announcer.tsx'
import { errorInWords } from './problem.tsx'

const FILES = [
  ['ndjson', 'NDJSON', 'application/x-ndjson', 'as JSON records, one per line'],
  ['csv', 'CSV', 'text/csv', 'as a table with one row for each token id'],
] as const

/** An incomplete file is never saved. */
export function Formats({ events: { question, total }, client }: { events: Events; client: EventsClient }) {
  const announce = useContext(Announce)
  const [said, setSaid] = useState('')
  const [isSaving, setSaving] = useState(false)
  const saving = useRef<AbortController>(undefined)
  useEffect(() => () => saving.current?.abort(), [])
  const all = typeof total === 'object' && total.isExact ? ` of ${groupDigits(total.count)}` : ''
  const save = async ([format, , type]: (typeof FILES)[number]) => {
    const controller = new AbortController()
    saving.current = controller
    setSaving(true)
    setSaid('Reading…')
    const onRead = (records: number) => setSaid(`Read ${groupDigits(records)}${all}…`)
    const reading = loadLater().then(later =>
      later.readFile(question, { client, format, signal: controller.signal, onRead }),
    )
    const end = await reading.then(
      ({ text, records }) => {
        const name = `${fileNameOf(question)}.${format}`
        saveFile(name, new Blob([text], { type }))
        return `Saved ${records > 1 ? 'all ' : ''}${counted(records, 'event')} as ${name}`
      },
      error => `${controller.signal.aborted ? 'Stopped' : errorInWords(error).title}. No file was saved.`,
    )
    setSaving(false)
    setSaid(end)
    announce(end)
  }
  return (
    <fieldset class="formats" aria-label="All events as a file">
      <span class="quiet">{said || 'Save all as'}</span>
      {isSaving ? (
        <button type="button" class="button small" onClick={() => saving.current?.abort()}>
          Stop
        </button>
      ) : (
        FILES.map(file => (
          <button
            key={file[0]}
            type="button"
            class="button small"
            title={`All events of this view, ${file[3]}`}
            onClick={() => save(file)}
          >
            {file[1]}
          </button>
        ))
      )}
    </fieldset>
  )
}

/** The file's URL stays valid for this long, because browsers may read the file some time after the click. */
const KEPT_MS = 60_000

function saveFile(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
