import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'

/**
 * Reads and decrypts the value of an SSM parameter, which is an empty text if it has none. Throws the SDK's errors.
 */
export async function readSsmParameter(name: string): Promise<string> {
  const client = new SSMClient({})
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: true }))
    return Parameter?.Value ?? ''
  } finally {
    client.destroy()
  }
}
