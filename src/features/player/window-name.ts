import { PLAYER_WINDOW } from '#contract/limits.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { DeviceKey } from '#session/log-out.ts'

const NAME = 'murmur-player-'
const ID_KEY = 'murmur.player-window'
const HANDOVER_KEY = 'murmur.player-handover' satisfies DeviceKey
/** A window that takes longer to appear resumes like any other device. */
const HANDOVER_MS = 30_000

/** The id in the name of the player's window, in that window; undefined in every other page. */
export const ownWindowId = (): string | undefined =>
  window.name.startsWith(NAME) ? window.name.slice(NAME.length) : undefined

/** The id of the window this tab has opened before, also after a reload. */
export const openedWindowId = (): string | undefined => tabStorage.getItem(ID_KEY) ?? undefined

/** Given by the page to its window: the position, so that no save has to be waited for. */
export interface Handover {
  readonly slug: string
  readonly place: ChapterSeconds | undefined
}

/**
 * Opens the player's window for a book, 376 by 813 (BOOK-19), or navigates the one that is open. Has to be called
 * in the press itself. Null where the browser does not allow it.
 */
export function openWindow(handover: Handover): Window | null {
  const id = openedWindowId() ?? crypto.randomUUID()
  tabStorage.setItem(ID_KEY, id)
  localStore.setItem(HANDOVER_KEY, JSON.stringify({ ...handover, atMs: Date.now() }))
  const { width, height } = PLAYER_WINDOW
  const opened = window.open(`/player/${handover.slug}`, NAME + id, `popup,width=${width},height=${height}`)
  if (!opened) {
    localStore.removeItem(HANDOVER_KEY)
    tabStorage.removeItem(ID_KEY)
  }
  return opened
}

/** Taken once, by the window it was meant for. */
export function takeHandover(slug: string): Handover | undefined {
  const handedOver = localStore.getItem(HANDOVER_KEY)
  if (!handedOver) return undefined
  const handover: Handover & { atMs: number } = JSON.parse(handedOver)
  if (handover.slug !== slug) return undefined
  localStore.removeItem(HANDOVER_KEY)
  return Date.now() - handover.atMs < HANDOVER_MS ? handover : undefined
}
