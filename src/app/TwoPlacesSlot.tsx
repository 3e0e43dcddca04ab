import { lazy, Suspense } from 'react'
import { useListeningStore } from '#features/listening/store.ts'

const Floating = lazy(async () => ({ default: (await import('./FloatingQuestion.tsx')).FloatingQuestion }))

/** A question beside whatever screen is open; nothing is blocked while it waits (PLAY-27). */
export function TwoPlacesSlot() {
  return (
    useListeningStore((state) => state.twoPlaces.length > 0) && (
      <Suspense>
        <Floating />
      </Suspense>
    )
  )
}
