import type { ParameterProblem } from '../query/errors.ts'

export type Fields = Partial<Record<string, unknown>>

export type FieldReader = ReturnType<typeof createFieldReader>

/** Matches a host with an optional port, but no character that would break the URLs in answers. */
const HOST = /^[\w.:[\]-]*$/

/** Adds each field of the wrong type to `problems`. */
export function createFieldReader() {
  const problems: ParameterProblem[] = []
  const refuse = (parameter: string, message: string) => {
    problems.push({ parameter, message })
  }

  function text(name: string, value: unknown): string {
    if (typeof value === 'string') return value
    refuse(name, 'must be a string')
    return ''
  }

  function host(name: string, value: unknown): string {
    const given = text(name, value)
    if (HOST.test(given)) return given
    refuse(name, 'must be a host name')
    return ''
  }

  /** `undefined` and `null` are read as an empty object. Any other value that is not an object is a problem. */
  function entries(name: string, value: unknown): [name: string, value: unknown][] {
    if (isObject(value)) return Object.entries(value).filter(([, each]) => each !== undefined)
    if (value !== undefined && value !== null) refuse(name, 'must be an object')
    return []
  }

  const texts = (name: string, value: unknown) =>
    entries(name, value).map(([key, each]): [string, string] => [key, text(`${name}.${key}`, each)])

  const lists = (name: string, value: unknown) =>
    entries(name, value).flatMap(([key, list]) => {
      if (!Array.isArray(list) || list.length === 0) refuse(`${name}.${key}`, 'must be a list of strings')
      return [list].flat().map((each): [string, string] => [key, text(`${name}.${key}`, each)])
    })

  return { problems, refuse, text, host, texts, lists }
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
