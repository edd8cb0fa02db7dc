/** With these settings, SDK clients neither search for their configuration nor sign requests. */
export const PLAIN_CONFIG = {
  region: 'eu-west-1',
  endpoint: 'http://aws.world',
  credentials: { accessKeyId: 'world', secretAccessKey: 'world' },
  signer: { sign: async (request: never) => request },
  maxAttempts: 3,
  retryMode: 'standard',
  defaultsMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: 'world',
} as const
