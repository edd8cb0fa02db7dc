import { createQueryFunction } from './shared/create-query-function.ts'

export const handler = createQueryFunction('token-events')
