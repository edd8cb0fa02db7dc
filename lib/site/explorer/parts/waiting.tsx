/**
 * The placeholder until the first answer arrives. The answer's height is unknown, so nothing is drawn below the
 * placeholder. The placeholder and the rows have the same id `events`. A reader who has skipped to the placeholder is
 * at the rows once the answer arrives.
 */
export const Waiting = () => (
  <div id="events" class="waiting" tabIndex={-1}>
    <div class="card skeleton summary" />
    <div class="card skeleton" />
  </div>
)
