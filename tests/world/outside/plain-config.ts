/** Spares each SDK client the search for its settings, and spares each request its signature. */
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
