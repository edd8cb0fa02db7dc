import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'

/** Resolves with an empty string if the parameter has no value. Throws the SDK's errors. */
export async function readSsmParameter(name: string): Promise<string> {
  const client = new SSMClient({})
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))
    return Parameter?.Value ?? ''
  } finally {
    client.destroy()
  }
}
