interface ChoicesOptions {
  legend: string
  name: string
  /** The possible values, each with its label. */
  labels: readonly (readonly [string, string])[]
  chosen: readonly string[]
  refusal: string | undefined
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
      <p id={`${name}-refusal`} class="refusal">
        {refusal}
      </p>
    </fieldset>
  )
}
