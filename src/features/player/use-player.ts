import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { chapterAt, type Chapter, type Playable } from './model.ts'
import type { Bookmark, DownloadView } from './ports.ts'
import { usePlayer } from './store.ts'

const NO_MARKS: readonly Bookmark[] = []
const NO_DOWNLOAD: DownloadView = { state: 'none', share: 0, stored: new Set(), coming: undefined }
const never = () => () => undefined

export function useChapter(): Chapter | undefined {
  const title = usePlayer((store) => store.state.title)
  const chapter = usePlayer((store) => store.state.chapter)
  return title && chapterAt(title.chapters, chapter)
}

export function useBookmarks(): readonly Bookmark[] {
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  return useSyncExternalStore(bookmarks?.subscribe ?? never, () => bookmarks?.list() ?? NO_MARKS)
}

/** The part of a book on this device; nothing is ever kept of a sample. */
export function useDownload(title: Playable | undefined): DownloadView {
  const desk = usePlayer((store) => store.player?.ports.downloads)
  const slug = title?.kind === 'book' ? title.slug : undefined
  const subscribe = useCallback(
    (onChange: () => void) => (desk && slug ? desk.subscribe(slug, onChange) : () => undefined),
    [desk, slug],
  )
  return useSyncExternalStore(subscribe, () => (desk && slug ? desk.read(slug) : NO_DOWNLOAD))
}

export function useTitleTheme(title: Playable | undefined): TitleTheme {
  const colours = title?.colours
  return useMemo(() => titleTheme(colours?.background, colours?.container, colours?.text), [colours])
}

/** Samples show chapters to users only (PLAY-05). */
export function useShowsChapters(title: Playable | undefined): boolean {
  const isUser = usePlayer((store) => store.player?.ports.isUser() ?? false)
  return (
    title !== undefined &&
    title.chapters.length > 0 &&
    (title.kind === 'book' || (title.kind === 'sample' && isUser))
  )
}
