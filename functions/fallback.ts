import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { createFallbackHandler } from '../lib/http/create-fallback-handler.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'

export const handler = createFallbackHandler({
  ...readBaseConfig(process.env),
  observer: createCallObserver(),
})
