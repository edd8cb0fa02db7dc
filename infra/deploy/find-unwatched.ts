import { type Settings, settingsFile } from './read-settings.ts'

/**
 * Returns one sentence if a stage that keeps its table lacks an alarm receiver, a budget or a runbook. Returns
 * undefined if the stage lacks none of them, if its table is deleted with the stage, or if the setting `unwatched` is
 * true.
 */
export function findUnwatched(settings: Settings, stage: string): string | undefined {
  const { default: defaults, [stage]: ofStage } = settings
  const values: Record<string, unknown> = { ...defaults, ...ofStage }
  if (values.tableDeletionPolicy !== 'Retain' || values.unwatched === true) return undefined
  const missing = [
    ...(values.alarmEmail || values.alarmTopicArn
      ? []
      : ['alarmEmail or alarmTopicArn (who receives alarms)']),
    ...(Number(values.monthlyBudget) > 0 ? [] : ['monthlyBudget (US dollars)']),
    ...(/^https?:/.test(String(values.runbook)) ? [] : ['runbook (the address that alarms link to)']),
  ]
  if (missing.length === 0) return undefined
  return `${settingsFile(stage)}: a stage that keeps its table needs ${missing.join(', ')}. Where nobody has to notice, write "unwatched: true"`
}
