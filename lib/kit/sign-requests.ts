import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { Hash } from '@smithy/core/serde'
import { SignatureV4 } from '@smithy/signature-v4'
import type { Authorize } from '../client/create-events-client.ts'
import { findRegion } from './find-region.ts'

/** Matches an API Gateway host. Requests are signed for the region in its name, not for this shell's region. */
const API_HOST = /\.execute-api\.([a-z\d-]+)\./

/** Signs requests with this shell's AWS credentials (Signature Version 4). */
export function signRequests(): Authorize {
  const credentials = defaultProvider()
  return async ({ method, url }) => {
    const { hostname, host, pathname, searchParams, protocol } = new URL(url)
    const [, region = (await findRegion()) ?? 'us-east-1'] = API_HOST.exec(hostname) ?? []
    const signer = new SignatureV4({
      service: 'execute-api',
      region,
      credentials,
      sha256: Hash.bind(null, 'sha256'),
    })
    const { headers } = await signer.sign({
      method,
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)])),
      headers: { host },
    })
    const { host: _, ...signature } = headers
    return signature
  }
}
