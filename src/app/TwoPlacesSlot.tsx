import { lazy, Suspense } from 'react'
import { openedListening } from '#features/listening/door.ts'
import { useListeningStore } from '#features/listening/store.ts'
import { usePlayer } from '#features/player/store.ts'
import { useTitleNames } from './title-names.ts'
import styles from './TwoPlacesSlot.module.css'
import { useNow } from './use-now.ts'

const TwoPlacesCard = lazy(async () => ({
  default: (await import('#features/listening/TwoPlacesCard.tsx')).TwoPlacesCard,
}))

/** One question at a time, beside whatever screen is open; nothing is blocked while it waits (PLAY-27). */
export function TwoPlacesSlot() {
  const question = useListeningStore((state) => state.twoPlaces[0])
  const names = useTitleNames(question?.slug)
  const now = useNow()
  if (!question) return null

  const choose = async (choice: 'here' | 'there') => {
    const taken = await (await openedListening())?.choose(question.slug, choice)
    const { hand, state } = usePlayer.getState()
    // The book that is open goes on from the chosen place, not from where it stood.
    if (taken && state.title?.kind === 'book' && state.title.slug === question.slug) hand?.goTo(taken)
  }
  return (
    <div className={styles.slot} role="region" aria-label="Two places">
      <Suspense>
        <TwoPlacesCard
          question={question}
          bookTitle={names?.title ?? 'A book'}
          {...(names ? { chapterNames: names.chapters } : {})}
          nowMs={now}
          onChoose={(choice) => void choose(choice)}
        />
      </Suspense>
    </div>
  )
}
