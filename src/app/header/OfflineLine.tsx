import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { OfflineState } from './use-offline-state.ts'

const OfflineBadge = lazyPart(() => import('./OfflineBadge.tsx'), 'OfflineBadge')

/** Below the header. The region stays, so that its words are read when they come. */
export const OfflineLine = ({ state }: { state: OfflineState }) => (
  <div role="status">
    <Suspense>
      <OfflineBadge state={state} />
    </Suspense>
  </div>
)
