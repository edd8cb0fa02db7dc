/** What can be asked: all events of one user, or the events of tokens. */
export type Endpoint = 'user-events' | 'token-events'
