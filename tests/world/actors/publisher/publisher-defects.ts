import { defect, type PlantedDefect } from '../../planted-defect.ts'

export const DEFECTS: readonly PlantedDefect[] = [
  defect(
    'failure-is-acceptance',
    'A failed attempt counts as accepted.',
    'lib/feed/publisher/serve-subscription.ts',
    "if (outcome.is === 'accepted') {",
    "if (outcome.is !== 'gone') {",
  ),
  defect(
    'redirect-is-acceptance',
    'A redirect from the receiver counts as acceptance.',
    'lib/feed/publisher/deliveries/webhook-delivery.ts',
    'statusCode >= 200 && statusCode < 300',
    'statusCode >= 200 && statusCode < 400',
  ),
  defect(
    'final-cursor-stays',
    'The cursor of a subscription to final events stays on every network until something is final.',
    'lib/feed/publisher/read-batch.ts',
    'if (!page.isUpToDate) return { cursors, isUpToDate: false }',
    'if (!page.isUpToDate) return { cursors, isUpToDate: false }\n    if (finalized) cursors = before',
  ),
  defect(
    'publish-gives-up',
    'The command publish ends at the first failure of the service.',
    'lib/feed/publisher/serve-subscription.ts',
    'if (once || !(error instanceof FeedUnavailableError)) throw error',
    'throw error',
  ),
]
