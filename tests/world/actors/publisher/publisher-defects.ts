import { defectsIn } from '../../planted-defect.ts'

export const DEFECTS = [
  ...defectsIn('lib/feed/publisher/serve-subscription.ts', {
    'failure-is-acceptance: A failed delivery counts as accepted.':
      "if (outcome.is [-=== 'accepted'-]{+!== 'gone'+}) {",
    'publish-gives-up: `npm run publish` ends at the first failure of the service.':
      '[-if (once || !(error instanceof FeedUnavailableError)) -]throw error',
  }),
  ...defectsIn('lib/feed/publisher/deliveries/webhook-delivery.ts', {
    'redirect-is-acceptance: A redirect from the receiver counts as acceptance.':
      'statusCode >= 200 && statusCode < [-300-]{+400+}',
  }),
  ...defectsIn('lib/feed/publisher/read-batch.ts', {
    'final-cursor-stays: The cursor of a subscription to final events does not advance on any network until something is final.':
      'if (!page.isUpToDate) return { cursors, isUpToDate: false }{+\n    if (finalized) cursors = before+}',
  }),
]
