import { InvokeCommand, type LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda'

export interface Question {
  functionName: string
  qualifier: string
  payload: string
}

/** `isAbsent` is true if the function, version or alias does not exist. */
export type Reply = 'answered' | 'empty' | { problem: string; isAbsent?: boolean }

/** The name of the error that `lib/http/direct-call.ts` throws if a smoke check finds no events. */
const FOUND_NOTHING = 'SmokeCheckFailed'

/** Sends a smoke check, and describes any failure in the reply instead of rejecting. */
export async function askVersion(
  client: LambdaClient,
  { functionName, qualifier, payload }: Question,
): Promise<Reply> {
  try {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Qualifier: qualifier, Payload: Buffer.from(payload) }),
    )
    if (FunctionError === undefined) return 'answered'
    const { errorType = FunctionError, errorMessage = '' } = JSON.parse(Buffer.from(Payload ?? []).toString())
    return errorType === FOUND_NOTHING ? 'empty' : { problem: `${errorType}: ${errorMessage}` }
  } catch (error) {
    const problem = `it could not be invoked (${(error as Error).message})`
    return { problem, isAbsent: error instanceof ResourceNotFoundException }
  }
}
