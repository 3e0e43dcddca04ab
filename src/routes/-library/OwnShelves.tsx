import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { type OwnShelf } from '#features/queue/use-shelves.ts'
import { Button } from '#ui/Button.tsx'
import { Chip } from '#ui/Chip.tsx'

const ShelfSheet = lazyPart(() => import('#features/queue/ShelfSheet.tsx'), 'ShelfSheet')

interface ShelfChoiceProps {
  shelves: readonly OwnShelf[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}

/** Beside the library's own filters; pressed again, all is shown. */
export const OwnShelfChips = ({ shelves, chosen, onChoose }: ShelfChoiceProps) =>
  shelves.map(({ id, name }) => (
    <Chip key={id} pressed={id === chosen} onClick={() => onChoose(id === chosen ? undefined : id)}>
      {name}
    </Chip>
  ))

/** Above the titles of a shelf: the way to arrange it. */
export function ArrangeShelf({ shelf, onTakenDown }: { shelf: OwnShelf; onTakenDown: () => void }) {
  const [open, setOpen] = useState<boolean>()
  return (
    <>
      <div>
        <Button look="text" onClick={() => setOpen(true)}>
          Arrange this shelf
        </Button>
      </div>
      <Suspense>
        {open !== undefined && (
          <ShelfSheet
            key={shelf.id}
            shelf={shelf}
            open={open}
            onOpenChange={setOpen}
            onTakenDown={onTakenDown}
          />
        )}
      </Suspense>
    </>
  )
}
