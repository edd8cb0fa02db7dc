interface Parameter {
  description?: string
  schema: { examples?: unknown[] }
}

/** Pages that show a document leave out a parameter's example; said in words, it is seen. */
export function tellExample(parameter: Parameter): void {
  const [example] = parameter.schema.examples ?? []
  if (example === undefined) return
  const values = [example].flat().map(value => `\`${value}\``)
  parameter.description = `${parameter.description} Example: ${values.join(' and ')}.`
}
