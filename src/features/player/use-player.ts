import { useMemo, useSyncExternalStore } from 'react'
import { titleKey } from '#storage/title-key.ts'
import type { Download } from '#features/downloads/model.ts'
import { useDownload } from '#features/downloads/store.ts'
import { useSession } from '#session/store.ts'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { chapterAt, type Chapter, type Playable } from './model.ts'
import type { Bookmark } from './ports.ts'
import { usePlayer } from './store.ts'

const NO_MARKS: readonly Bookmark[] = []
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
export const useTitleDownload = (title: Playable | undefined): Download =>
  useDownload(titleKey('audio', title?.kind === 'book' ? title.slug : ''))

export function useTitleTheme(title: Playable | undefined): TitleTheme {
  const colours = title?.colours
  return useMemo(() => titleTheme(colours?.background, colours?.container, colours?.text), [colours])
}

/** Samples show chapters to users only (PLAY-05). */
export function useShowsChapters(title: Playable | undefined): boolean {
  const isUser = useSession((session) => session.status === 'user')
  return (
    title !== undefined &&
    title.chapters.length > 0 &&
    (title.kind === 'book' || (title.kind === 'sample' && isUser))
  )
}
