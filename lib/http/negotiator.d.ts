declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> })
    /** The media types that the request accepts, most preferred first. */
    mediaTypes(available: readonly string[]): string[]
    /**
     * The codings that the request accepts, most preferred first. If several are preferred equally, the order of
     * `preferred` decides.
     */
    encodings(available: readonly string[], options?: { preferred?: readonly string[] }): string[]
  }
}
