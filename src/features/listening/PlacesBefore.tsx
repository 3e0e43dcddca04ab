import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'

const Sheet = lazyPart(() => import('#ui/Sheet.tsx'), 'Sheet')
const EarlierPlaces = lazyPart(() => import('./EarlierPlaces.tsx'), 'EarlierPlaces')

export function PlacesBefore({ slug }: { slug: string }) {
  const owner = useSession((state) => state.owner?.uuid)
  const [open, setOpen] = useState(false)
  if (!owner) return null
  return (
    <>
      <Button look="text" tone="title" onClick={() => setOpen(true)}>
        Listening history
      </Button>
      {open && (
        <Suspense>
          <Sheet open={open} onOpenChange={setOpen} title="Listening history">
            <EarlierPlaces slug={slug} onDone={() => setOpen(false)} />
          </Sheet>
        </Suspense>
      )}
    </>
  )
}
