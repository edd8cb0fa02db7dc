import { closest, distance } from 'fastest-levenshtein'

export interface Settings {
  /** The `params` of serverless.yml: for each stage, and for `default`, values by name. */
  params: Record<string, Record<string, unknown> | null>
  stage?: string | undefined
  /** What follows each `--param`. */
  given?: readonly (string | null)[] | undefined
}

/** Further apart, or in more than half of its letters, one name is not meant to be the other. */
const MAX_MISTYPED = 2

/** One line about the first setting of a command line that is mistyped; undefined where there is none. */
export function findWrongSetting({ params, stage, given = [] }: Settings): string | undefined {
  const names = [...new Set(Object.values(params).flatMap(each => Object.keys(each ?? {})))]
  for (const each of given) {
    const [name = '', value = ''] = (each ?? '').split(/=(.*)/s)
    if (!names.includes(name)) {
      const likely = findLikely(name, names)
      const hint = likely === undefined ? '' : `; did you mean "${likely}"?`
      return `There is no parameter "${name}" among the params of serverless.yml${hint}`
    }
    if (value === '') return `The parameter "${name}" has no value: --param "${name}=…"`
  }
  const stages = Object.keys(params).filter(name => name !== 'default')
  return stage === undefined || stages.includes(stage) ? undefined : findMistypedStage(stage, stages)
}

/** Anybody may have a stage of their own, dev2 or pr-17, but hardly one whose name is nearly that of another. */
function findMistypedStage(stage: string, stages: string[]): string | undefined {
  const likely = /^[a-z]+$/i.test(stage) ? findLikely(stage.toLowerCase(), stages) : undefined
  if (likely === undefined) return undefined
  return `There is no stage "${stage}"; did you mean "${likely}"? If not, add "${stage}: {}" to the params of serverless.yml`
}

function findLikely(name: string, names: string[]): string | undefined {
  const likely = closest(name, names)
  const apart = distance(name, likely)
  return apart <= Math.min(MAX_MISTYPED, likely.length / 2) ? likely : undefined
}
