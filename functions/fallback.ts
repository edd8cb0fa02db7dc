import { createFallbackHandler } from '../lib/http/create-fallback-handler.ts'
import { readBaseConfig } from '../lib/http/function-config.ts'
import { createCallObserver } from '../lib/observe/create-call-observer.ts'

const { publicBaseUrl } = readBaseConfig(process.env)

export const handler = createFallbackHandler({ publicBaseUrl, observer: createCallObserver() })
