import { createHash } from 'node:crypto'
import { KEPT_FOR_MINUTES } from '../../http/cache-control.ts'
import { type HttpResponse, textResponse } from '../../http/response.ts'

/** An HTML page. */
export interface HtmlPage {
  html: string
  /**
   * The texts of the page's inline `style` and `script` elements. The security policy allows these elements by the
   * digests of their texts.
   */
  inlined: { styles: readonly string[]; scripts: readonly string[] }
}

/**
 * Returns the response for a page. The page may load files only from this service, and send requests only to this
 * service.
 */
export const htmlResponse = ({ html, inlined }: HtmlPage, baseUrl: string): HttpResponse =>
  textResponse('text/html; charset=utf-8', html, {
    'Cache-Control': KEPT_FOR_MINUTES,
    'Content-Security-Policy': securityPolicy(inlined, baseUrl),
    'Referrer-Policy': 'no-referrer',
  })

/** The `Content-Security-Policy`, which allows files of this service and requests to this service only. */
const securityPolicy = ({ styles, scripts }: HtmlPage['inlined'], baseUrl: string) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map(digestOf)].join(' '),
    ["style-src 'self'", ...styles.map(digestOf)].join(' '),
    "img-src 'self'",
    ["connect-src 'self'", URL.parse(baseUrl)?.origin ?? ''].join(' ').trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A hash source (Content Security Policy Level 3, 2.3.1), which allows the element with exactly this text. */
const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
