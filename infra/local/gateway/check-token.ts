import * as z from 'zod/mini'

/** What a route asks of callers: the JWT authorizer of an HTTP API. */
export interface TokenRules {
  issuerUrl: string
  audience: string[]
}

export type Claims = z.infer<typeof claimsSchema>

const claimsSchema = z.looseObject({
  iss: z.string(),
  exp: z.number(),
  aud: z.optional(z.union([z.string(), z.array(z.string())])),
  client_id: z.optional(z.string()),
})

const BEARER = /^Bearer +/i

/**
 * The claims of a token that these rules let in, else undefined. Everything is looked at but the signature: there is
 * no issuer on this machine who could be asked for its keys.
 */
export function checkToken(header: string | undefined, rules: TokenRules): Claims | undefined {
  const { data: claims } = claimsSchema.safeParse(payloadOf(header ?? ''))
  if (!claims || claims.iss !== rules.issuerUrl || claims.exp * 1000 < Date.now()) return undefined
  const audience = [claims.aud ?? claims.client_id ?? []].flat()
  return audience.some(each => rules.audience.includes(each)) ? claims : undefined
}

function payloadOf(header: string): unknown {
  const [, payload = ''] = header.replace(BEARER, '').split('.')
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  } catch {
    return undefined
  }
}
