import type { HttpRequest } from './http-request.ts'
import { matchDocument, matchRoute } from './route.ts'

/** The address of the service as callers see it: the configured one, or what the gateway reports for the request. */
export function baseUrlOf({ host, path }: HttpRequest, publicBaseUrl: string | undefined): string {
  return publicBaseUrl
    ? publicBaseUrl.replace(/\/+$/, '')
    : `https://${host}${(matchRoute(path) ?? matchDocument(path))?.prefix ?? ''}`
}
