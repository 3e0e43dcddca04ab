import { useMemo, useSyncExternalStore } from 'react'
import { titleKey } from '#storage/title-key.ts'
import type { Download } from '#features/downloads/model.ts'
import { useDownload } from '#features/downloads/store.ts'
import { useSession } from '#session/store.ts'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'
import { chapterAt, type Chapter, type Playable } from './model.ts'
import type { Bookmark } from './ports.ts'
import { usePlayer } from './store.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { EngineState } from './engine-interface.ts'

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

/** The stored part of a book; samples are never stored. */
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

export function useStateWords(): { words: string; isOnDevice: boolean } {
  const state = usePlayer((store) => store.state)
  const ports = usePlayer((store) => store.player?.ports)
  const { stored, state: download } = useTitleDownload(state.title)
  const isUser = useSession((session) => session.status === 'user')
  const online = useSyncExternalStore(
    ports?.connectivity.subscribe ?? (() => () => undefined),
    () => ports?.connectivity.isOnline() ?? true,
  )
  // Before the first play the engine may not have checked whether the chapter is stored.
  const paused = state.status === 'paused' || state.status === 'ended'
  const here = state.stored || (paused && stored.has(state.chapter))
  const savedSince = !here && download === 'done'
  return {
    words: stateWords(state, {
      online,
      here,
      savedSince,
      storedAhead: download === 'none',
      isUser,
    }),
    isOnDevice: (here || savedSince) && !state.wentElsewhere,
  }
}

interface Surroundings {
  readonly online: boolean
  readonly here: boolean
  /** The download finished during playback, so the sound still comes from the network. */
  readonly savedSince: boolean
  /** Prefetched as the next chapter, not downloaded by the listener. */
  readonly storedAhead: boolean
  readonly isUser: boolean
}

export function stateWords(
  state: EngineState,
  { online, here, savedSince, storedAhead, isUser }: Surroundings,
): string {
  const { title, status, waitingFor } = state
  if (!title || title.chapters.length === 0) return 'No sound yet'
  if (state.wentElsewhere) return 'Playing elsewhere'
  const runs = status === 'playing' || status === 'waiting'
  if (title.kind === 'book' && !isUser && !here && (waitingFor || !runs)) return 'Log in to hear this chapter'
  if (waitingFor === 'chapter') return MESSAGES.loadingNextChapter
  if (waitingFor === 'sound')
    return online || savedSince ? 'Loading more of this chapter' : 'Waiting for a connection'
  if (here && storedAhead) return runs ? 'Playing what was kept ahead' : 'Kept ahead on this device'
  if (here) return runs ? 'Playing from downloads' : 'Saved on this device'
  if (savedSince) return 'Saved on this device'
  if (!online) return runs ? 'Offline, playing what has loaded' : 'Needs a connection'
  return title.kind === 'sample' ? 'Sample' : 'Streaming'
}
