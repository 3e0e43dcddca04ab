import { createStore } from 'zustand'
import type { ChapterSeconds } from '#storage/place.ts'
import type { Readings } from './engine-interface.ts'
import { jumpFrom, type Chapter } from './model.ts'
import type { Bookmark, BookmarkStore } from './ports.ts'
import { playerSettings } from './settings.ts'

/** The bookmarks of the loaded book, in its order. Shown before they are stored, except for notes. */
export interface Bookmarks {
  list: () => readonly Bookmark[]
  subscribe: (onChange: () => void) => () => void
  /** `sentence`: of the e-book, if it is known for certain. */
  add: (place: ChapterSeconds, sentence?: string) => Bookmark
  setNote: (id: string, note: string) => void
  remove: (id: string) => void
  /** Rejects without a connection. */
  earlierNotes: BookmarkStore['earlierNotes']
  restore: (bookmark: Bookmark) => void
}

/** Listeners press late: an optional setting marks the sentence before (docs/product.md, Bookmarks). */
const MARKED_EARLIER_SECONDS = 15

export const placeToMark = (chapters: readonly Chapter[], place: ChapterSeconds): ChapterSeconds =>
  playerSettings().bookmarksEarlier ? jumpFrom(chapters, place, -MARKED_EARLIER_SECONDS) : place

interface BookmarkNeeds {
  readonly player: Readings
  readonly store: BookmarkStore
  nowMs: () => number
  newId: () => string
  /** The device failed to store it; the list then shows what is stored. */
  onFailure: () => void
}

export function createBookmarks({ player, store, nowMs, newId, onFailure }: BookmarkNeeds): Bookmarks {
  let slug: string | undefined
  /** SHA-256 of the chapters' files. */
  let sounds: ReadonlyMap<number, string> = new Map()
  const marks = createStore<readonly Bookmark[]>(() => [])

  const show = (next: readonly Bookmark[]) =>
    marks.setState(
      next.toSorted((a, b) => a.chapter - b.chapter || a.seconds - b.seconds),
      true,
    )

  const load = async (of: string) => {
    const kept = await store.list(of).catch(() => [])
    if (of === slug && writing === 0) show(kept)
  }

  /** Pending writes. Until they are done, the stored list is older than the shown one. */
  let writing = 0
  const keep = (kept: Promise<unknown>) => {
    writing += 1
    kept.catch(onFailure).finally(() => {
      writing -= 1
      if (slug && writing === 0) void load(slug)
    })
  }

  const put = (bookmark: Bookmark) => {
    show([...marks.getState().filter(({ id }) => id !== bookmark.id), bookmark])
    keep(store.put(bookmark))
    return bookmark
  }

  let unfollow: (() => void) | undefined
  player.on('load', ({ title }) => {
    if (title.slug !== slug || title.kind !== 'book') show([])
    slug = title.kind === 'book' ? title.slug : undefined
    sounds = new Map(title.chapters.flatMap(({ number, sound }) => (sound ? [[number, sound]] : [])))
    unfollow?.()
    unfollow = undefined
    if (!slug) return
    const of = slug
    void load(of)
    unfollow = store.subscribe(of, () => void load(of))
  })

  return {
    list: marks.getState,
    subscribe: marks.subscribe,
    add: ({ chapter, seconds }, sentence) =>
      put({
        ...{ id: newId(), slug: slug ?? '', chapter, seconds, note: '', madeAtMs: nowMs() },
        ...(sounds.has(chapter) ? { sound: sounds.get(chapter) } : {}),
        ...(sentence ? { sentence } : {}),
      }),
    setNote(id, note) {
      const mark = marks.getState().find((one) => one.id === id)
      if (!mark) return
      const noted = { ...mark, note }
      // Show a note only once it is stored: the listener may then close the page.
      keep(store.put(noted).then(() => show([...marks.getState().filter((one) => one.id !== id), noted])))
    },
    remove(id) {
      show(marks.getState().filter((mark) => mark.id !== id))
      keep(store.remove(id))
    },
    earlierNotes: store.earlierNotes,
    // Another id: a removed bookmark stays removed, on every device.
    restore: (bookmark) => void put({ ...bookmark, id: newId() }),
  }
}
