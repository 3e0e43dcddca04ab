import { PLAYER_WINDOW } from '#contract/limits.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { DeviceKey } from '#session/log-out.ts'

const NAME = 'murmur-player-'
const ID_KEY = 'murmur.player-window'
const HANDOVER_KEY = 'murmur.player-handover' satisfies DeviceKey
/** A window that opens later resumes at the saved place, like another device. */
const HANDOVER_MS = 30_000

/** The id from the window name; undefined in pages other than the player's window. */
export const ownWindowId = (): string | undefined =>
  window.name.startsWith(NAME) ? window.name.slice(NAME.length) : undefined

/** The id of the window that this tab opened; survives a reload. */
export const openedWindowId = (): string | undefined => tabStorage.getItem(ID_KEY) ?? undefined

/** The page hands its place to the window directly, so that the window needn't wait for a save. */
export interface Handover {
  readonly slug: string
  readonly place: ChapterSeconds | undefined
}

/**
 * Opens the player's window for a book, 376 by 813 (BOOK-19), or navigates the open one. Must be called
 * inside the press. Null if the browser blocks it.
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

/** Returns the handover for this book, once. */
export function takeHandover(slug: string): Handover | undefined {
  const handedOver = localStore.getItem(HANDOVER_KEY)
  if (!handedOver) return undefined
  const handover: Handover & { atMs: number } = JSON.parse(handedOver)
  if (handover.slug !== slug) return undefined
  localStore.removeItem(HANDOVER_KEY)
  return Date.now() - handover.atMs < HANDOVER_MS ? handover : undefined
}
