import { useLayoutEffect, useMemo } from 'react'
import { create } from 'zustand'
import { authorsOf, coverOf, narratorsOf } from '#features/catalogue/model.ts'
import { type StartedTitle, useStarted } from '#features/library/started.ts'
import type { DeviceKey } from '#session/log-out.ts'
import { localStore } from '#storage/page-storage.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { type Chapter, chapterAt, type Playable } from './model.ts'
import { usePlayer } from './store.ts'

/** The book that was in the player of this device; none after "Turn off player". */
interface LastPlayed {
  readonly slug: string
  readonly chapters: readonly Chapter[]
}

/** What the mini player shows before this page's engine is loaded. */
export interface RestingTitle {
  readonly title: Playable
  readonly place: ChapterSeconds
}

const KEY = 'murmur.last-played' satisfies DeviceKey
const useLastPlayed = create<{ book: LastPlayed | undefined }>()(() => ({ book: read() }))

/** `undefined` after the player was turned off. A sample or a recording replaces the book. */
export function storeLastPlayed(title: Playable | undefined): void {
  const book = title?.kind === 'book' ? { slug: title.slug, chapters: title.chapters } : undefined
  if (book) localStore.setItem(KEY, JSON.stringify(book))
  else localStore.removeItem(KEY)
  useLastPlayed.setState({ book })
}

/** The player's window writes it too, so it is read from storage. */
export function lastPlayedChapterTitle(slug: string, chapter: number): string | undefined {
  const last = read()
  return last?.slug === slug ? chapterAt(last.chapters, chapter)?.title : undefined
}

/**
 * After a reload or a cold start: the book that was in the player, at its saved place. Finished books don't return.
 */
export function useRestingTitle(): RestingTitle | undefined {
  const last = useLastPlayed(({ book }) => book)
  const isOff = usePlayer((store) => store.state.title === undefined && !store.isInOtherWindow)
  const started = useStarted()
  const title = last && started.find(({ key }) => key === titleKey('audio', last.slug))
  return useMemo(
    () =>
      isOff && last && title?.place ? { title: playableOf(title, last), place: title.place } : undefined,
    [isOff, last, title],
  )
}

const useInPage = create<{ keys: readonly string[] | undefined }>()(() => ({ keys: undefined }))

/** Which of the started titles the page itself shows; undefined until it knows. */
export function useShowsInPage(keys: readonly TitleKey[] | undefined): void {
  const shown = keys?.join(' ')
  useLayoutEffect(() => {
    useInPage.setState({ keys: shown?.split(' ') })
    return () => useInPage.setState({ keys: undefined })
  }, [shown])
}

/** Whether a page that shows started titles shows this one: assumed until it says which it shows. */
export const useIsInPage = (slug: string | undefined): boolean =>
  useInPage(({ keys }) => !keys || (slug !== undefined && keys.includes(titleKey('audio', slug))))

const playableOf = ({ book }: StartedTitle, { slug, chapters }: LastPlayed): Playable => ({
  slug,
  kind: 'book',
  title: book.title,
  author: authorsOf(book),
  narrator: narratorsOf(book),
  cover: coverOf(book),
  coverAlt: '',
  colours: {
    background: book.bookBackgroundColour,
    container: book.containerBackgroundColour,
    text: book.textColour,
  },
  chapters,
  download: null,
})

function read(): LastPlayed | undefined {
  try {
    return JSON.parse(localStore.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
