/**
 * Returns `X-Unmatchable`, a list of the parameters whose values cannot occur in any event. `query/normalise-filters`
 * finds these parameters.
 */
export const unmatchableHeader = ({ unmatchable }: { unmatchable: readonly string[] | undefined }) =>
  unmatchable && { 'X-Unmatchable': unmatchable.join(', ') }
