import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { titleKey } from '#storage/title-key.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { MoreIcon } from '#ui/MoreIcon.tsx'
import { Menu, type MenuEntry } from '#ui/Menu.tsx'
import type { InStep } from '#features/in-step/in-step.ts'
import { isRunning } from '#features/downloads/model.ts'
import { pressDownload } from '#features/downloads/press-download.ts'
import { usePosition } from '#features/player/position.ts'
import { useTitleDownload, useTitleTheme } from '#features/player/use-player.ts'
import { isWide, openPlayerWindow } from '#features/player/lazy.ts'
import type { Panel } from './PlayerPanels.tsx'
import { usePlayer } from '#features/player/store.ts'
import { currentOwner } from '#session/store.ts'
import { themeStyle } from '#ui/title-theme.ts'
import { toast } from '#ui/toast.ts'
import type { Playable } from '#features/player/model.ts'
import type { PlayerPorts } from '#features/player/ports.ts'

interface MoreMenuProps {
  /** Where its sentences are spoken; undefined if the listener can't read the book in step. */
  inStep?: InStep | undefined
  onOpen: (panel: Panel) => void
  onBookPage: (slug: string) => void
  onMinimise: () => void
}

export function MoreMenu({ inStep, onOpen, onBookPage, onMinimise }: MoreMenuProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const title = usePlayer((store) => store.state.title)
  const player = usePlayer((store) => store.player)
  const controls = usePlayer((store) => store.controls)
  const download = useTitleDownload(title)
  const ended = usePlayer(({ state }) => state.status === 'ended')
  const theme = useTitleTheme(title)
  if (!title) return null
  const book = title.kind === 'book'
  const inWindow = player?.window !== undefined

  const mark = async () => {
    const { markFinished } = await import('#features/listening/mark-finished.ts')
    await markFinished(queryClient, titleKey('audio', title.slug), title.title, !ended)
  }
  const read = async () => {
    const { sentenceAt } = await import('#features/in-step/in-step.ts')
    const slug = inStep?.eBook
    if (!slug) return
    const { chapter, seconds } = usePosition.getState()
    const at = sentenceAt(inStep, { chapter, seconds })?.cfi || undefined
    if (!player?.window) return navigate({ to: '/read/$slug', params: { slug }, search: { at } })
    player.window.visit(`/read/${slug}${at ? `?at=${encodeURIComponent(at)}` : ''}`)
    const opener: Window | null = window.opener
    opener?.focus()
  }
  const entries: (MenuEntry | false | undefined)[] = [
    { key: 'page', label: 'Go to book page', onSelect: () => onBookPage(title.slug) },
    inStep && { key: 'read', label: 'Read from here', onSelect: () => void read() },
    inStep && { key: 'justNow', label: 'What happened just now', onSelect: () => onOpen('justNow') },
    // Text has taken its place among the tools.
    inStep && {
      key: 'download',
      label: download.state === 'failed' ? 'Try again to download' : downloads[download.state],
      onSelect: () => {
        if (isRunning(download)) onOpen('stopDownload')
        else if (download.state === 'done') toast('Saved for the train.')
        else pressDownload(download.key)
      },
    },
    book && { key: 'marks', label: 'Bookmarks', onSelect: () => onOpen('bookmarks') },
    book && { key: 'next', label: 'What comes next', onSelect: () => onOpen('next') },
    book && { key: 'earlier', label: 'Listening history', onSelect: () => onOpen('earlier') },
    book && {
      key: 'finished',
      label: ended ? 'Mark as not finished' : 'Mark as finished',
      onSelect: () => void mark(),
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
        onSelect: () => openPlayerWindow(title.slug) && onMinimise(),
      },
    // A hovering pointer suggests a keyboard; phones have neither.
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
        onMinimise()
      },
    },
  ]
  return (
    <Menu
      label="More"
      entries={entries.filter((entry) => entry !== false && entry !== undefined)}
      alignOffset={ended ? 0 : ICON_INSET}
      style={ended ? undefined : themeStyle(theme)}
      trigger={<IconButton label="More" icon={<MoreIcon size={28} />} />}
    />
  )
}

/** In pixels: how far the button extends beyond its column (`.top` in player.module.css). */
const ICON_INSET = 10

const downloads = {
  none: 'Download book',
  waiting: 'Stop download',
  downloading: 'Stop download',
  done: 'Saved on this device',
}

/**
 * Saves a book as a zip (PLAY-04): online from the server, from a freshly signed address, with every chapter;
 * offline with the stored chapters.
 */
export async function saveZip(
  { connectivity, loadBook }: Pick<PlayerPorts, 'connectivity' | 'loadBook'>,
  title: Playable,
  download: (address: string) => void = downloadFrom,
): Promise<void> {
  const fresh = connectivity.isOnline() ? await loadBook(title.slug).catch(() => undefined) : undefined
  if (fresh?.download) return download(fresh.download)
  try {
    await saveStored(title.slug)
  } catch {
    toast('Nothing to save yet: this device has no chapters of this book.')
  }
}

async function saveStored(slug: string): Promise<void> {
  const owner = currentOwner()
  if (!owner) throw new Error('Nobody is logged in')
  const { saveStoredZip } = await import('#features/downloads/save-stored-zip.ts')
  await saveStoredZip(owner, slug)
}

function downloadFrom(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
