import type { Parameter } from './openapi-document.ts'

type WithExample = Pick<Parameter, 'description' | 'example' | 'schema'>

/** The values of a parameter's example. The example of a list has several values. */
export const examplesOf = ({ example, schema: { examples: [first] = [] } }: WithExample): string[] =>
  [example ?? first ?? []].flat().map(String)

/** The example in words. */
export const exampleSentence = (parameter: WithExample): string =>
  `Example: ${examplesOf(parameter)
    .map(value => `\`${value}\``)
    .join(' and ')}.`

/** Adds a parameter's example to its description. Most viewers of OpenAPI documents omit the example elsewhere. */
export function tellExample(parameter: WithExample): void {
  if (parameter.schema.examples?.[0] === undefined) return
  parameter.description = `${parameter.description} ${exampleSentence(parameter)}`
}
