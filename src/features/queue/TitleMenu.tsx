import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { formatOfKey, slugOfKey, type TitleKey } from '#storage/title-key.ts'
import { removeDownload } from '#features/downloads/lazy.ts'
import { pressDownload } from '#features/downloads/press-download.ts'
import { useDownload } from '#features/downloads/store.ts'
import { listenTo } from '#features/player/lazy.ts'
import { currentOwner } from '#session/store.ts'
import type { OtherFormat } from '#features/in-step/switch.ts'
import type { TitleState } from '#features/listening/mark-finished.ts'
import { IconButton } from '#ui/IconButton.tsx'
import type { MenuEntry } from '#ui/Menu.tsx'
import { MoreIcon } from '#ui/MoreIcon.tsx'
import { toast } from '#ui/toast.ts'

interface TitleMenuProps {
  titleKey: TitleKey
  title: string
  /** Adds a link to the title's page, for the library, where pressing the cover plays. */
  withBookPage?: boolean
  /** Entries below its own. */
  more?: readonly MenuEntry[]
  className?: string | undefined
}

export function TitleMenu({ titleKey: key, title, withBookPage = false, more, className }: TitleMenuProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [fromKeyboard, setFromKeyboard] = useState(false)
  const [shelves, setShelves] = useState<boolean>()
  const [state, setState] = useState<TitleState>()
  const [other, setOther] = useState<OtherFormat>()
  const { state: download } = useDownload(key)
  const slug = slugOfKey(key)
  const isAudio = formatOfKey(key) === 'audio'
  const series = state?.series

  const look = async () => {
    const { titleState } = await import('#features/listening/mark-finished.ts')
    const owner = currentOwner()
    const [stored, inOtherFormat] = await Promise.all([
      titleState(queryClient, key),
      owner === undefined
        ? undefined
        : import('#features/in-step/switch.ts')
            .then(({ otherFormat }) => otherFormat(owner, key))
            .catch(() => undefined),
    ])
    setState(stored)
    setOther(inOtherFormat)
  }
  /** Opens at the sentence where the listener is. */
  const openOther = (to: TitleKey) => {
    const params = { slug: slugOfKey(to) }
    if (isAudio) void navigate({ to: '/read/$slug', params })
    else void listenTo({ ...params, kind: 'book' }, () => void navigate({ to: '/player/$slug', params }))
  }
  const saveWithSound = (to: TitleKey) => {
    const owner = currentOwner()
    if (owner === undefined) return
    void import('#features/in-step/save-spoken-book.ts').then(({ saveSpokenBook }) =>
      saveSpokenBook(owner, isAudio ? slug : slugOfKey(to)),
    )
  }
  const mark = () =>
    void import('#features/listening/mark-finished.ts').then(({ markFinished }) =>
      markFinished(queryClient, key, title, !state?.finished),
    )
  const remove = async () => {
    await removeDownload(key)
    toast(`${title} is no longer on this device.`, {
      action: { label: 'Undo', onPress: () => pressDownload(key) },
    })
  }
  const queued = (act: 'playNext' | 'addToQueue') => () =>
    void import('./actions.ts').then((actions) => actions[act](key, title))
  const entries = [
    other && {
      key: 'other',
      label: isAudio ? 'Read from here' : 'Listen from here',
      onSelect: () => openOther(other.key),
    },
    isAudio && { key: 'next', label: 'Play next', onSelect: queued('playNext') },
    isAudio && { key: 'queue', label: 'Add to queue', onSelect: queued('addToQueue') },
    { key: 'shelf', label: 'Put on a shelf', onSelect: () => setShelves(true) },
    { key: 'finished', label: state?.finished ? 'Mark as not finished' : 'Mark as finished', onSelect: mark },
    download !== 'none' && { key: 'remove', label: 'Remove download', onSelect: () => void remove() },
    other?.hasSpokenEBook && {
      key: 'spoken',
      label: 'Save e-book with sound',
      onSelect: () => saveWithSound(other.key),
    },
    series && {
      key: 'series',
      label: 'Go to series',
      onSelect: () => void navigate({ to: '/series/$slug', params: { slug: series.slug } }),
    },
    withBookPage && {
      key: 'page',
      label: 'Go to book page',
      onSelect: () =>
        void navigate({ to: isAudio ? '/audiobooks/$slug' : '/ebooks/$slug', params: { slug } }),
    },
    ...(more ?? []),
  ].filter((entry) => entry !== false && entry !== undefined)
  return (
    <>
      <IconButton
        ref={button}
        className={className}
        label={`More for ${title}`}
        icon={<MoreIcon />}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={(event) => {
          setWanted(true)
          setFromKeyboard(event.detail === 0)
          if (open) return setOpen(false)
          // Read the stored state before opening, so that no entry changes while the menu is open.
          void look()
            .catch(() => undefined)
            .finally(() => setOpen(true))
        }}
      />
      <Suspense>
        {wanted && (
          <Menu
            label={title}
            entries={entries}
            anchor={button}
            open={open}
            onOpenChange={setOpen}
            fromKeyboard={fromKeyboard}
          />
        )}
        {shelves !== undefined && (
          <PutOnShelf titleKey={key} title={title} open={shelves} onOpenChange={setShelves} />
        )}
      </Suspense>
    </>
  )
}

const loadMenu = () => import('#ui/Menu.tsx')
const Menu = lazyPart(loadMenu, 'Menu')
const PutOnShelf = lazyPart(() => import('./ShelfSheets.tsx'), 'PutOnShelf')
