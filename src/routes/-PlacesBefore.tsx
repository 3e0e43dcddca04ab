import { lazy, Suspense, useState } from 'react'
import { History } from '#features/listening/History.tsx'
import { openedListening } from '#features/listening/door.ts'
import { usePlayer } from '#features/player/store.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { useTitleNames } from '../app/title-names.ts'
import { useNow } from '../app/use-now.ts'

const Sheet = lazy(async () => ({ default: (await import('#ui/Sheet.tsx')).Sheet }))

/** The history of one book: every place that was left behind, each a way back. */
export function PlacesBefore({ slug }: { slug: string }) {
  const owner = useSession((state) => state.owner?.uuid)
  const names = useTitleNames(slug)
  const [open, setOpen] = useState(false)
  const now = useNow()
  if (!owner) return null

  const goBack = async (place: { chapter: number; seconds: number }) => {
    await (await openedListening())?.returnTo(slug, place)
    const { hand, state } = usePlayer.getState()
    if (state.title?.kind === 'book' && state.title.slug === slug) hand?.goTo(place)
    setOpen(false)
    toast('Back where you were. Press play to go on.')
  }
  return (
    <>
      <Button look="text" tone="title" onClick={() => setOpen(true)}>
        Places before
      </Button>
      {open && (
        <Suspense>
          <Sheet open={open} onOpenChange={setOpen} title="Places before">
            <History
              ownerUuid={owner}
              slug={slug}
              {...(names ? { chapterNames: names.chapters } : {})}
              nowMs={now}
              onReturn={(place) => void goBack(place)}
            />
          </Sheet>
        </Suspense>
      )}
    </>
  )
}
