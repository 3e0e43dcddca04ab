import { type SubmitEvent, useState } from 'react'
import { SHELF_NAME_LENGTH } from '#contract/limits.ts'
import { useOwnEntries } from '#features/library/use-own-titles.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { ArrangedRows } from './ArrangedRows.tsx'
import {
  moveOnShelf,
  moveShelf,
  renameShelf,
  takeDownShelf,
  takeOffShelf,
  putOnShelf,
  putUpShelf,
} from './actions.ts'
import { type OwnShelf, useShelves } from './use-lists.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { announce } from '#ui/announce.ts'
import { Checkbox } from '#ui/Checkbox.tsx'

interface ShelfSheetProps {
  shelf: OwnShelf
  open: boolean
  onOpenChange: (open: boolean) => void
  onTakenDown: () => void
}

/** Renames, arranges and removes one of the user's shelves. */
export function ShelfSheet({ shelf, open, onOpenChange, onTakenDown }: ShelfSheetProps) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const owned = useOwnEntries(owner, useOnline())
  const shelves = useShelves(owner)
  const at = shelves.findIndex(({ id }) => id === shelf.id)
  const rows = shelf.titles.flatMap(({ id, key }) => {
    const entry = owned.get(key)
    return entry ? [{ id, entry, words: [entry.author, entry.words].filter(Boolean).join(', ') }] : []
  })
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="This shelf">
      <div className="stack gap-4">
        <ShelfName shelf={shelf} />
        {shelves.length > 1 && (
          <div className="row gap-2" role="group" aria-label="Position">
            <Button look="quiet" disabled={at === 0} onClick={() => void moveShelf(shelf.id, at - 1)}>
              Move forward
            </Button>
            <Button
              look="quiet"
              disabled={at === shelves.length - 1}
              onClick={() => void moveShelf(shelf.id, at + 1)}
            >
              Move back
            </Button>
          </div>
        )}
        {rows.length === 0 ? (
          <p className="quiet">This shelf is empty. Add a book from its … menu.</p>
        ) : (
          <ArrangedRows
            rows={rows}
            where={shelf.name}
            onMove={(id, to) => void moveOnShelf(shelf.id, id, to)}
            onTakeOut={({ entry }) => void takeOffShelf(shelf.id, entry.key)}
          />
        )}
        <Button
          look="danger"
          onClick={() => {
            void takeDownShelf(shelf.id)
            onOpenChange(false)
            onTakenDown()
          }}
        >
          Delete this shelf
        </Button>
        <p className="quiet">Its titles stay in your library.</p>
      </div>
    </Sheet>
  )
}

function ShelfName({ shelf }: { shelf: OwnShelf }) {
  const [name, setName] = useState(shelf.name)
  const rename = (event: SubmitEvent) => {
    event.preventDefault()
    if (name.trim() !== '') void renameShelf(shelf.id, name.trim())
  }
  return (
    <form className="stack gap-3" onSubmit={rename}>
      <Field
        label="Name"
        value={name}
        maxLength={SHELF_NAME_LENGTH}
        onChange={(event) => setName(event.target.value)}
      />
      {name.trim() !== shelf.name && name.trim() !== '' && (
        <Button type="submit" look="quiet">
          Rename
        </Button>
      )}
    </form>
  )
}

interface PutOnShelfProps {
  titleKey: TitleKey
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Puts a title on the user's shelves, or on a new one. */
export function PutOnShelf({ titleKey: key, title, open, onOpenChange }: PutOnShelfProps) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const shelves = useShelves(owner)
  const [name, setName] = useState('')
  const putUp = async (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return
    setName('')
    await putOnShelf(await putUpShelf(wanted), key)
    announce(`${title} is on ${wanted}`)
  }
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Your own shelves">
      <div className="stack gap-4">
        <p className="quiet">{title}</p>
        {shelves.length > 0 && (
          <div role="group" aria-label={`Shelves for ${title}`}>
            {shelves.map((shelf) => (
              <Checkbox
                key={shelf.id}
                label={shelf.name}
                checked={shelf.keys.includes(key)}
                onChange={(event) =>
                  void (event.target.checked ? putOnShelf(shelf.id, key) : takeOffShelf(shelf.id, key))
                }
              />
            ))}
          </div>
        )}
        <form className="stack gap-3" onSubmit={(event) => void putUp(event)}>
          <Field
            label="A new shelf"
            hint="For the winter, say, or with the children."
            value={name}
            maxLength={SHELF_NAME_LENGTH}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" look="quiet">
            Save shelf
          </Button>
        </form>
      </div>
    </Sheet>
  )
}
