import { createHandler, type HandlerOptions } from '../../../lib/http/create-handler.ts'
import type { Endpoint } from '../requests/api-request.ts'
import type { LambdaHandler } from './ask.ts'

export const queryFunctions = (options: HandlerOptions): Record<Endpoint, LambdaHandler> => ({
  'user-events': queryFunction('user-events', options),
  'token-events': queryFunction('token-events', options),
})

export const queryFunction = (endpoint: Endpoint, options: HandlerOptions) =>
  createHandler(endpoint, options) as unknown as LambdaHandler
