/** What can be asked of events: all of one user, or those of tokens. */
export type Endpoint = 'user-events' | 'token-events'

/** What has parameters of its own: the endpoints, and the feed of changes. */
export type Resource = Endpoint | 'changes'
