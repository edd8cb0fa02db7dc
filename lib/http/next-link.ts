/** A request as the caller made it, for building the address of its next page. */
export interface RequestedPage {
  /** Absolute address of the resource, without a query string. */
  resource: string
  parameters: readonly (readonly [name: string, value: string])[]
}

/** The value of `Link` for the next page: the same request with `cursor` in place of `skip` (RFC 8288). */
export function nextLink({ resource, parameters }: RequestedPage, cursor: string): string {
  const kept = parameters.filter(([name]) => name !== 'skip' && name !== 'cursor')
  const query = new URLSearchParams(kept.map(([name, value]): [string, string] => [name, value]))
  query.append('cursor', cursor)
  return `<${resource}?${query}>; rel="next"`
}
