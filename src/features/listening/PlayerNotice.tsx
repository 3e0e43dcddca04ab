import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useListeningStore } from './store.ts'
import { usePlayer } from '#features/player/store.ts'

const Question = lazyPart(() => import('./TwoPlacesQuestion.tsx'), 'TwoPlacesQuestion')
const PlayingElsewhere = lazyPart(() => import('./ElsewhereNotice.tsx'), 'ElsewhereNotice')

/** The one card above the player's cover: where playback moved to, or else which of two places to keep. */
export function PlayerNotice({ slug }: { slug: string }) {
  const elsewhere = useListeningStore((state) => state.elsewhere)
  const question = useListeningStore((state) =>
    state.putOff?.has(slug) ? undefined : state.twoPlaces.find((one) => one.slug === slug),
  )
  const title = usePlayer((store) => store.state.title)
  if (elsewhere && title)
    return (
      <Suspense>
        <PlayingElsewhere elsewhere={elsewhere} title={title} />
      </Suspense>
    )
  if (!question) return null
  return (
    <Suspense>
      <Question question={question} named={false} />
    </Suspense>
  )
}
