import { localTime, timeOfLocal } from '../show/local-times.ts'

interface FieldOptions {
  name: string
  label: string
  value: string
  hint?: string
  refusal: string | undefined
  /** With the new value; empty where there is none any more. */
  onChange: (value: string) => void
}

/** A value to type in, with what the service says is wrong with it. It counts once the reader leaves it. */
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
  /** Whether a date alone means its last second. */
  isEnd?: boolean
}

/** A time in UTC. One that browsers cannot show, such as Unix seconds, is shown as the time that it means. */
export const TimeField = ({ name, label, value, isEnd = false, refusal, onChange }: TimeFieldOptions) => (
  <label class="field">
    {label}
    <input
      type="datetime-local"
      name={name}
      value={localTime(value, { isEnd })}
      aria-invalid={refusal !== undefined}
      aria-describedby={`${name}-refusal`}
      onChange={({ currentTarget }) => onChange(timeOfLocal(currentTarget.value))}
    />
    <Refusal name={name} text={refusal} />
  </label>
)

const Refusal = ({ name, text }: { name: string; text: string | undefined }) => (
  <span id={`${name}-refusal`} class="refusal">
    {text}
  </span>
)
