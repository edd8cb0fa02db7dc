declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> })
    /** The media types that the request accepts, best first. */
    mediaTypes(available: readonly string[]): string[]
    /**
     * The codings that the request accepts, best first. If the request accepts several equally, the order of
     * `preferred` decides.
     */
    encodings(available: readonly string[], options?: { preferred?: readonly string[] }): string[]
  }
}
