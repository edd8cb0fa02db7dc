import * as z from 'zod/mini'
import { parseJson } from '../../../lib/kit/parse-json.ts'

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

/** Does not check the signature, because the local stack has no issuer whose keys it could use. */
export function checkToken(header: string | undefined, rules: TokenRules): Claims | undefined {
  const { data: claims } = claimsSchema.safeParse(payloadOf(header ?? ''))
  if (!claims || claims.iss !== rules.issuerUrl || claims.exp * 1000 < Date.now()) return undefined
  const audience = [claims.aud ?? claims.client_id ?? []].flat()
  return audience.some(each => rules.audience.includes(each)) ? claims : undefined
}

function payloadOf(header: string): unknown {
  const [, payload = ''] = header.replace(BEARER, '').split('.')
  return parseJson(Buffer.from(payload, 'base64url').toString())
}
