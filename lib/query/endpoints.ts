export type Endpoint = 'user-events' | 'token-events'

export type Resource = Endpoint | 'changes'
