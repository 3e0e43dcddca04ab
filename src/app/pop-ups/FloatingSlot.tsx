import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useListeningStore } from '#features/listening/store.ts'
import { useSession } from '#session/store.ts'

const Floating = lazyPart(() => import('./Floating.tsx'), 'Floating')

/**
 * Questions and notices that float beside whatever screen is open; nothing is blocked while they wait (PLAY-27,
 * HDR-12).
 */
export function FloatingSlot() {
  const asks = useListeningStore((state) => state.twoPlaces.length > 0)
  const failed = useSession((state) => state.user?.subscriptions.some((each) => each.paymentFailed))
  return (
    (asks || failed) && (
      <Suspense>
        <Floating />
      </Suspense>
    )
  )
}
