import { useEffect, useRef, useState } from 'react'
import type { TwoPlaces } from '#storage/places-db.ts'
import { openedListening } from './lazy.ts'
import { putOffQuestion } from './put-off.ts'
import { TwoPlacesCard } from './TwoPlacesCard.tsx'
import { thePlayer } from '#features/player/lazy.ts'
import { previewPlace } from '#features/player/preview.ts'
import { usePlayer } from '#features/player/store.ts'
import { useTitleNames } from './title-names.ts'
import { useNow } from '#ui/use-now.ts'

/** Asks where a book should continue; an open book moves to the chosen place. */
export function TwoPlacesQuestion({ question, named }: { question: TwoPlaces; named: boolean }) {
  const names = useTitleNames(question.slug)
  const now = useNow()
  const [previewed, setPreviewed] = useState<'here' | 'there'>()
  const stop = useRef<() => void>(undefined)
  // A sample that outlives its card would be heard without a way to end it.
  useEffect(() => () => stop.current?.(), [])

  const preview = async (side: 'here' | 'there') => {
    if (previewed === side) return stop.current?.()
    const audio = new Audio()
    const player = await thePlayer()
    stop.current = previewPlace(
      player,
      {
        slug: question.slug,
        place: question[side],
        onEnd: () => setPreviewed((heard) => (heard === side ? undefined : heard)),
      },
      audio,
    )
    setPreviewed(side)
  }
  const choose = async (choice: 'here' | 'there') => {
    stop.current?.()
    const taken = await (await openedListening())?.choose(question.slug, choice)
    const { controls, state } = usePlayer.getState()
    const isOpen = state.title?.kind === 'book' && state.title.slug === question.slug
    // This place is the current one already.
    if (taken && isOpen && choice === 'there') controls?.goTo(taken)
  }
  return (
    <TwoPlacesCard
      question={question}
      bookTitle={named ? names?.title : undefined}
      chapterNames={names?.chapters}
      nowMs={now}
      previewed={previewed}
      onPreview={(side) => void preview(side)}
      onChoose={(side) => void choose(side)}
      onLater={() => putOffQuestion(question.slug)}
    />
  )
}
