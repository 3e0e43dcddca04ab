import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useQueue } from '#features/queue/use-queue.ts'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'

const QueueSheet = lazyPart(() => import('#features/queue/QueueSheet.tsx'), 'QueueSheet')

/** The way to the queue, where there is one. */
export function ComesNext({ owner }: { owner: string }) {
  const queue = useQueue(owner)
  const [open, setOpen] = useState<boolean>()
  if (!queue || (queue.length === 0 && open === undefined)) return null
  return (
    <>
      <div>
        <Button look="text" onClick={() => setOpen(true)}>
          What comes next: {plural(queue.length, 'title')}
        </Button>
      </div>
      <Suspense>{open !== undefined && <QueueSheet open={open} onOpenChange={setOpen} />}</Suspense>
    </>
  )
}
