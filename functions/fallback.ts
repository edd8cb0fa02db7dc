import { createCallObserver } from '../lib/http/create-call-observer.ts'
import { createFallbackHandler } from '../lib/http/create-fallback-handler.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'

const { publicBaseUrl } = readBaseConfig(process.env)

export const handler = createFallbackHandler({ publicBaseUrl, observer: createCallObserver() })
