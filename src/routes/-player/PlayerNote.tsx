import { Link } from '@tanstack/react-router'
import { PlaceNote } from '#features/listening/SavedNotes.tsx'
import { useSession } from '#session/store.ts'
import { useNow } from '#ui/use-now.ts'

/** Below the player's state: what became of the place, or what it takes to have it saved. */
export function PlayerNote({ slug }: { slug: string }) {
  const ended = useSession((state) => state.status === 'ended')
  const now = useNow()
  if (!ended) return <PlaceNote slug={slug} nowMs={now} />
  return (
    <Link to="/login" search={{ from: `/player/${slug}` }}>
      Log in to save your place
    </Link>
  )
}
