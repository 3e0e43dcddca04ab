import { type SubmitEvent, useState } from 'react'
import { SHELF_NAME_LENGTH } from '#contract/limits.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { putOnShelf, putUpShelf, takeOffShelf } from './shelf-actions.ts'
import { useShelves } from './use-shelves.ts'

interface PutOnShelfProps {
  titleKey: TitleKey
  title: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The shelves on which a title stands; and a new one for it. */
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
            Put up this shelf
          </Button>
        </form>
      </div>
    </Sheet>
  )
}
