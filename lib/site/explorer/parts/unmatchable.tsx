interface UnmatchableOptions {
  /** The reason for each parameter that no event can match, by the parameter's name. */
  refusals: ReadonlyMap<string, string>
}

/**
 * The message for an answer that is empty because an address or a hash is invalid. The reader must not conclude that
 * nothing happened on chain.
 */
export function Unmatchable({ refusals }: UnmatchableOptions) {
  const isHashAlone = refusals.size === 1 && refusals.has('transactionHash')
  return (
    <div class="empty">
      <h4>{isHashAlone ? 'No such transaction hash' : 'No such address'}</h4>
      <p>No event can have this. It does not mean that nothing happened:</p>
      <ul>
        {[...refusals].map(([name, refusal]) => (
          <li key={name}>
            <code>{name}</code> {refusal}
          </li>
        ))}
      </ul>
      <p>
        <a href="?">The latest events of all</a>
      </p>
    </div>
  )
}
