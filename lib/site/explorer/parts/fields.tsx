import { localTime, timeOfLocal } from '../show/times.ts'

interface FieldOptions {
  name: string
  label: string
  value: string
  hint?: string
  refusal: string | undefined
  /** Called with the new value, which is empty for a cleared field. */
  onChange: (value: string) => void
}

/** A text field. Shows a message if its value has a fault. A change takes effect when the reader leaves the field. */
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

interface TimeFieldOptions extends Omit<FieldOptions, 'hint'> {
  /** Whether a date without a time means the day's last second, instead of its first. */
  isEnd?: boolean
}

/** A time field in UTC. Shows every form of a time, such as Unix seconds, as date and time. */
export const TimeField = ({ name, label, value, isEnd = false, refusal, onChange }: TimeFieldOptions) => (
  <label class="field">
    {label}
    <input
      type="datetime-local"
      name={name}
      value={localTime(value, { isEnd })}
      aria-invalid={refusal !== undefined}
      aria-describedby={`${name}-refusal`}
      onChange={({ currentTarget }) =>
        isTyped(currentTarget.value) && onChange(timeOfLocal(currentTarget.value))
      }
    />
    <Refusal name={name} text={refusal} />
  </label>
)

/** Whether the year is complete. While a reader types the year 2024, Chromium reports the years 2, 20 and 202. */
const isTyped = (local: string) => local === '' || local >= '1000'

const Refusal = ({ name, text }: { name: string; text: string | undefined }) => (
  <span id={`${name}-refusal`} class="refusal">
    {text}
  </span>
)
