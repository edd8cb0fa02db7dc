const Icon = ({ path }: { path: string }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={path} />
  </svg>
)

export const CopyIcon = () => <Icon path="M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z" />
export const DoneIcon = () => <Icon path="M2.5 8.5l3.5 3.5 7.5-8" />
export const AwayIcon = () => <Icon path="M6.5 3.5h-4v10h10v-4M9.5 2.5h4v4M13.5 2.5l-6 6" />
