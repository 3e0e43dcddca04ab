import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { lazy, Suspense, useRef, useState } from 'react'
import { formatOfKey, type TitleKey } from '#device/title-key.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'

interface TitleMenuProps {
  titleKey: TitleKey
  title: string
}

/** What more can be done with a title that one owns: heard next, heard later, put on a shelf. */
export function TitleMenu({ titleKey: key, title }: TitleMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [shelves, setShelves] = useState<boolean>()
  const queued = (act: 'playNext' | 'addToQueue') => () =>
    void import('./actions.ts').then((actions) => actions[act](key, title))
  const entries = [
    formatOfKey(key) === 'audio' && { key: 'next', label: 'Play next', onSelect: queued('playNext') },
    formatOfKey(key) === 'audio' && { key: 'queue', label: 'Add to queue', onSelect: queued('addToQueue') },
    { key: 'shelf', label: 'Put on a shelf', onSelect: () => setShelves(true) },
  ].filter((entry) => entry !== false)
  return (
    <>
      <IconButton
        ref={button}
        label={`More for ${title}`}
        icon={<Icon of={DotsThreeIcon} />}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => {
          setWanted(true)
          setOpen(!open)
        }}
      />
      <Suspense>
        {wanted && (
          <Menu label={title} entries={entries} anchor={button} open={open} onOpenChange={setOpen} />
        )}
        {shelves !== undefined && (
          <PutOnShelf titleKey={key} title={title} open={shelves} onOpenChange={setShelves} />
        )}
      </Suspense>
    </>
  )
}

const loadMenu = () => import('#ui/Menu.tsx')
const Menu = lazy(async () => ({ default: (await loadMenu()).Menu }))
const PutOnShelf = lazy(async () => ({ default: (await import('./PutOnShelf.tsx')).PutOnShelf }))
