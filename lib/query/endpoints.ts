/** The endpoints for events: all events of one user, or events of tokens. */
export type Endpoint = 'user-events' | 'token-events'

/** Every resource with parameters: the endpoints, and the feed of changes. */
export type Resource = Endpoint | 'changes'
