import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { requestLimits } from '../store/request-limits.ts'

const TIMEOUT_MS = 5000

/** Resolves with an empty string if the parameter has no value. Throws the SDK's errors. */
export async function readSsmParameter(name: string): Promise<string> {
  // Without limits, a lost connection would make a function wait until the function times out.
  const client = new SSMClient({
    requestHandler: requestLimits({ connectionMs: TIMEOUT_MS, answerMs: TIMEOUT_MS }),
  })
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))
    return Parameter?.Value ?? ''
  } finally {
    client.destroy()
  }
}
