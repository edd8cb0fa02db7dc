import { LambdaClient } from '@aws-sdk/client-lambda'
import { createVersionCheck } from '../lib/release/create-version-check.ts'

export const handler = createVersionCheck({ lambda: new LambdaClient(), liveAlias: 'live' })
