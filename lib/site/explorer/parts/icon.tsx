/** An icon of one line, drawn on a grid of 16 pixels. A function and no component, because each row has several icons. */
export const icon = (path: string) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={path} />
  </svg>
)
