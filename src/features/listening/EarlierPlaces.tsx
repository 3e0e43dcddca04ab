import { History } from './History.tsx'
import { openedListening } from './lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { useSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { useTitleNames } from './title-names.ts'
import { useNow } from '#ui/use-now.ts'

/** Every place of a book that was left behind, each a way back; for a sheet. */
export function EarlierPlaces({ slug, onDone }: { slug: string; onDone: () => void }) {
  const owner = useSession((state) => state.owner?.uuid)
  const names = useTitleNames(slug)
  const now = useNow()
  if (!owner) return null

  const goBack = async (place: { chapter: number; seconds: number }) => {
    await (await openedListening())?.returnTo(slug, place)
    const { controls, state } = usePlayer.getState()
    if (state.title?.kind === 'book' && state.title.slug === slug) controls?.goTo(place)
    onDone()
    toast('Back where you were. Press play to carry on.')
  }
  return (
    <History
      ownerUuid={owner}
      slug={slug}
      {...(names ? { chapterNames: names.chapters } : {})}
      nowMs={now}
      onReturn={(place) => void goBack(place)}
    />
  )
}
