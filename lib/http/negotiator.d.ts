declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> })
    /** Most preferred first. */
    mediaTypes(available: readonly string[]): string[]
    /** Most preferred first. If several codings are preferred equally, the order of `preferred` decides. */
    encodings(available: readonly string[], options?: { preferred?: readonly string[] }): string[]
  }
}
