interface UnmatchableOptions {
  /** By parameter: why no event can have its value. */
  refusals: ReadonlyMap<string, string>
}

/** No events, because what was asked for is no address or no hash: nobody is to take that for "nothing happened". */
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
