import { later } from '#ui/later.tsx'
import type { OfflineState } from './use-offline-state.ts'

// Nobody is offline on the server, and the first view needs no words about it.
const OfflineBadge = later(
  import.meta.env.SSR ? () => null : undefined,
  async () => (await import('./OfflineBadge.tsx')).OfflineBadge,
)

/** Below the header. The region stays, so that its words are read when they come. */
export const OfflineLine = ({ state }: { state: OfflineState }) => (
  <div role="status">
    <OfflineBadge state={state} />
  </div>
)
