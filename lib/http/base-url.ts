import type { HttpRequest } from './http-request.ts'
import { matchDocument, matchRoute } from './route.ts'

/**
 * The address of the service as callers see it: the configured one, or what the gateway reports for the request.
 * Where it reports no host, the address is relative to the root of whichever host was asked.
 */
export function baseUrlOf({ host, path }: HttpRequest, publicBaseUrl: string | undefined): string {
  if (publicBaseUrl) return publicBaseUrl.replace(/\/+$/, '')
  const prefix = (matchRoute(path) ?? matchDocument(path))?.prefix ?? ''
  return host === '' ? prefix : `https://${host}${prefix}`
}
