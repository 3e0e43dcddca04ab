import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuEntry } from '#ui/Menu.tsx'
import { isWide, openPlayerWindow } from './lazy.ts'
import type { Panel } from './panel.ts'
import { usePlayer } from './store.ts'
import { saveZip } from './zip.ts'

export interface MoreMenuProps {
  onOpen: (panel: Panel) => void
  onBookPage: (slug: string) => void
  /** There are places of this book that can be gone back to. */
  hasEarlierPlaces: boolean
  /** Whoever knows it shows what comes next. */
  hasNext: boolean
  /** Marks the book as finished, or as not. */
  onMark?: ((finished: boolean) => void) | undefined
  onTurnedOff: () => void
  onMovedToWindow: () => void
}

/** Things needed less often: bookmarks, book page, zip, own window, off. */
export function MoreMenu({
  onOpen,
  onBookPage,
  hasEarlierPlaces,
  hasNext,
  onMark,
  onTurnedOff,
  onMovedToWindow,
}: MoreMenuProps) {
  const title = usePlayer((store) => store.state.title)
  const player = usePlayer((store) => store.player)
  const controls = usePlayer((store) => store.controls)
  const ended = usePlayer(({ state }) => state.status === 'ended')
  if (!title) return null
  const book = title.kind === 'book'
  const inWindow = player?.window !== undefined

  const entries: (MenuEntry | false)[] = [
    { key: 'page', label: 'Go to book page', onSelect: () => onBookPage(title.slug) },
    book && { key: 'marks', label: 'Bookmarks', onSelect: () => onOpen('bookmarks') },
    book && hasNext && { key: 'next', label: 'What comes next', onSelect: () => onOpen('next') },
    book &&
      hasEarlierPlaces && { key: 'earlier', label: 'Earlier places', onSelect: () => onOpen('earlier') },
    book &&
      onMark !== undefined && {
        key: 'finished',
        label: ended ? 'Mark as not finished' : 'Mark as finished',
        onSelect: () => onMark(!ended),
      },
    book && {
      key: 'zip',
      label: 'Download as zip',
      onSelect: () => player && void saveZip(player.ports, title),
    },
    book &&
      !inWindow &&
      isWide() && {
        key: 'window',
        label: 'Open in its own window',
        onSelect: () => openPlayerWindow(title.slug) && onMovedToWindow(),
      },
    // A hovering pointer is taken as a sign of a keyboard; phones have neither.
    matchMedia('(any-hover: hover)').matches && {
      key: 'keys',
      label: 'Keys',
      onSelect: () => onOpen('keys'),
    },
    {
      key: 'off',
      label: 'Turn off player',
      ruled: true,
      onSelect: () => {
        controls?.turnOff()
        onTurnedOff()
      },
    },
  ]
  return (
    <Menu
      label="More"
      entries={entries.filter((entry) => entry !== false)}
      trigger={<IconButton label="More" icon={<Icon of={DotsThreeIcon} size={28} />} />}
    />
  )
}
