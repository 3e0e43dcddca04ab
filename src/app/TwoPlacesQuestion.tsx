import type { TwoPlaces } from '#device/places-db.ts'
import { openedListening } from '#features/listening/door.ts'
import { TwoPlacesCard } from '#features/listening/TwoPlacesCard.tsx'
import { usePlayer } from '#features/player/store.ts'
import { useTitleNames } from './title-names.ts'
import styles from './TwoPlacesQuestion.module.css'
import { useNow } from './use-now.ts'

/** Where a book shall go on; the book that is open goes on from the chosen place. */
export function TwoPlacesQuestion({ question }: { question: TwoPlaces }) {
  const names = useTitleNames(question.slug)
  const now = useNow()

  const choose = async (choice: 'here' | 'there') => {
    const taken = await (await openedListening())?.choose(question.slug, choice)
    const { hand, state } = usePlayer.getState()
    // The book that is open goes on from the chosen place, not from where it stood.
    if (taken && state.title?.kind === 'book' && state.title.slug === question.slug) hand?.goTo(taken)
  }
  return (
    <div className={styles.slot} role="region" aria-label="Two places">
      <TwoPlacesCard
        question={question}
        bookTitle={names?.title ?? 'A book'}
        {...(names ? { chapterNames: names.chapters } : {})}
        nowMs={now}
        onChoose={(choice) => void choose(choice)}
      />
    </div>
  )
}
