import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { OfflineState } from './OfflineBadge.tsx'

const OfflineBadge = lazyPart(() => import('./OfflineBadge.tsx'), 'OfflineBadge')

/** The live region stays mounted, so that screen readers announce changes. */
export const OfflineLine = ({ state }: { state: OfflineState }) => (
  <div role="status">
    <Suspense>
      <OfflineBadge state={state} />
    </Suspense>
  </div>
)

const BACK_FOR_MS = 3_000

export function useOfflineState(online: boolean): OfflineState {
  const [state, setState] = useState<OfflineState>('online')
  useEffect(() => {
    if (!online) setState('offline')
    else setState((before) => (before === 'offline' ? 'back' : before))
  }, [online])

  useEffect(() => {
    if (state !== 'back') return undefined
    const timer = setTimeout(() => setState('online'), BACK_FOR_MS)
    return () => clearTimeout(timer)
  }, [state])
  return state
}
