import { readTime, writeTime } from '../show/times.ts'

interface FieldOptions {
  name: string
  label: string
  value: string
  hint?: string
  refusal: string | undefined
  /** The value is empty if the reader cleared the field. */
  onChange: (value: string) => void
}

/** A change takes effect when the reader leaves the field. */
export const Field = ({ name, label, value, hint, refusal, onChange }: FieldOptions) => (
  <label class="field">
    {label}
    <input
      type="text"
      name={name}
      value={value}
      placeholder={hint}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      aria-invalid={refusal !== undefined}
      aria-describedby={`${name}-refusal`}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
    <Refusal name={name} text={refusal} />
  </label>
)

/**
 * A date in UTC, with an optional time of day. Without a time, the value is only the date, which the API reads as the
 * whole day. A time in any other form, such as Unix seconds, is also shown as a date and a time.
 */
export function TimeField({ name, label, value, refusal, onChange }: Omit<FieldOptions, 'hint'>) {
  const { date, time } = readTime(value)
  const described = { 'aria-invalid': refusal !== undefined, 'aria-describedby': `${name}-refusal` }
  return (
    <div class="field">
      <label for={`${name}-date`}>{label}</label>
      <div class="time">
        <input
          type="date"
          id={`${name}-date`}
          name={name}
          value={date}
          {...described}
          onChange={({ currentTarget }) =>
            isTyped(currentTarget.value) && onChange(writeTime(currentTarget.value, time))
          }
        />
        <input
          type="time"
          step="1"
          aria-label={`${label}: time of day`}
          value={time}
          disabled={date === ''}
          {...described}
          onChange={({ currentTarget }) => onChange(writeTime(date, currentTarget.value))}
        />
      </div>
      <Refusal name={name} text={refusal} />
    </div>
  )
}

interface ChoicesOptions extends Pick<FieldOptions, 'name' | 'refusal'> {
  legend: string
  labels: readonly (readonly [string, string])[]
  chosen: readonly string[]
  onChange: (values: readonly string[]) => void
}

/** If no value is checked, all values match. */
export function Choices({ legend, name, labels, chosen, refusal, onChange }: ChoicesOptions) {
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter(each => each !== value) : [...chosen, value])
  return (
    <fieldset class="choices" aria-describedby={`${name}-refusal`}>
      <legend>{legend}</legend>
      {labels.map(([value, label]) => (
        <label key={value}>
          <input
            type="checkbox"
            name={name}
            value={value}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />
          {label}
        </label>
      ))}
      <Refusal name={name} text={refusal} />
    </fieldset>
  )
}

/** Whether the year is complete: while a reader types the year 2024, Chromium reports the years 2, 20 and 202. */
const isTyped = (date: string) => date === '' || date >= '1000'

const Refusal = ({ name, text }: { name: string; text: string | undefined }) => (
  <span id={`${name}-refusal`} class="refusal">
    {text}
  </span>
)
