import { devNull } from 'node:os'

/** What the SDK wants to be told; an engine on this machine looks at none of it. */
const LOCAL_ACCESS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Points this process's AWS SDK, and that of the processes it starts, at an endpoint. What the machine
 * has of AWS accounts is hidden from them, unless the endpoint was named on the command line and the
 * environment brings credentials along.
 */
export function pointSdkAt(endpoint: string, { named }: { named: boolean }): void {
  const { env } = process
  if (!(named && (env.AWS_ACCESS_KEY_ID || env.AWS_PROFILE))) {
    for (const name of Object.keys(env).filter(each => each.startsWith('AWS_'))) delete env[name]
    Object.assign(env, LOCAL_ACCESS)
  }
  env.AWS_ENDPOINT_URL_DYNAMODB = endpoint
}
