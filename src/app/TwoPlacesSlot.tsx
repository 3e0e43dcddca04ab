import { lazy, Suspense } from 'react'
import { useListeningStore } from '#features/listening/store.ts'

const TwoPlacesQuestion = lazy(async () => ({
  default: (await import('./TwoPlacesQuestion.tsx')).TwoPlacesQuestion,
}))

/** One question at a time, beside whatever screen is open; nothing is blocked while it waits (PLAY-27). */
export function TwoPlacesSlot() {
  const question = useListeningStore((state) => state.twoPlaces[0])
  if (!question) return null
  return (
    <Suspense>
      <TwoPlacesQuestion question={question} />
    </Suspense>
  )
}
