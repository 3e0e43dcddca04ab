import { DESKTOP_WIDTH } from '#contract/limits.ts'
import { isForgetful } from '#storage/page-storage.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { registerUserScope } from '#session/user-scope.ts'
import { toast } from '#ui/toast.ts'
import type { Engine, PlayerRemote } from './engine-interface.ts'
import { storeLastPlayed } from './last-played.ts'
import type { TitleRef } from './model.ts'
import type { PlayerPorts } from './ports.ts'
import { type RunningPlayer, usePlayer } from './store.ts'
import { unlockSound } from './sound-element.ts'
import { openedWindowId, openWindow, ownWindowId } from './window-name.ts'

/** Passed by `app/` at start-up, but not run before a title is played. */
interface PlayerSetUp {
  ports: () => PlayerPorts | Promise<PlayerPorts>
  /** Connects the recorder, before the first sound. */
  onStart?: (engine: Engine) => void | Promise<void>
  /** Opens a page of the shop at the request of the player's window. */
  visit: (path: string) => void
}

let setUp: PlayerSetUp | undefined
let started: Promise<RunningPlayer> | undefined
let playerWindow: Window | null = null

export function installPlayer(given: PlayerSetUp): void {
  setUp = given
  /**
   * Before the user scope of the places, so that the last place is still recorded for this user (PLAY-29). A
   * visitor's sample keeps playing.
   */
  registerUserScope('player', { leave: silencePlayer, close: silencePlayer })
  // After a reload this page may still be the opener of a playing window.
  if (openedWindowId() && !ownWindowId()) void thePlayer()
}

/** The page's only player; the first call loads it. */
export function thePlayer(): Promise<RunningPlayer> {
  started ??= begin().catch((error: unknown) => {
    // Allow a retry: a chunk that failed to load offline may load later.
    started = undefined
    throw error
  })
  return started
}

/**
 * A listener pressed play on a title. From 768 px a book opens the player's window (BOOK-19), on phones the
 * full player (BOOK-28); a sample plays in the bar at the bottom there, and full screen on phones.
 * `toFullPlayer` shows the player's screen; without `at` the title continues where it was left. Has to be called in
 * the press itself.
 */
export async function listenTo(
  title: TitleRef,
  toFullPlayer: () => void,
  at?: ChapterSeconds,
): Promise<void> {
  // Without storage the player's window would not know the session.
  const ownWindow = isWide() && title.kind === 'book' && !isForgetful()
  if (ownWindow && openPlayerWindow(title.slug, at)) return
  unlockSound()
  if (title.kind === 'book' || !isWide()) toFullPlayer()
  await (await thePlayer()).open(title, { play: true, ...(at && { at }) })
  // Last, because a new toast replaces the previous one.
  if (ownWindow) toast('Your browser blocked the player’s window, so it opened here.')
}

/** Opens the book in the player's window and hands over the place. False if the browser blocks the window. */
export function openPlayerWindow(slug: string, at?: ChapterSeconds): boolean {
  const { player, controls, isInOtherWindow, state } = usePlayer.getState()
  if (isInOtherWindow && state.title?.slug === slug && playerWindow && !playerWindow.closed) {
    if (at) controls?.goTo(at)
    playerWindow.focus()
    return true
  }
  const here = !isInOtherWindow && state.title?.slug === slug && state.title.kind === 'book'
  playerWindow = openWindow({ slug, place: at ?? (here ? player?.engine.place() : undefined) })
  if (!playerWindow) return false
  player?.engine.pause()
  void thePlayer().then((running) => running.steerWindow())
  return true
}

/**
 * Puts the book that was in the player before a reload back into it, paused, and returns the controls. Has to be called
 * in a press.
 */
export async function backInPlayer(title: TitleRef): Promise<PlayerRemote | undefined> {
  unlockSound()
  await (await thePlayer()).open(title)
  return usePlayer.getState().controls
}

/** The listener has logged out: stop the sound and close the window. */
export function silencePlayer(): void {
  usePlayer.getState().player?.silence()
  storeLastPlayed(undefined)
}

export const showPlayerWindow = (): void => playerWindow?.focus()

export const isWide = (): boolean => window.matchMedia(`(min-width: ${DESKTOP_WIDTH}px)`).matches

async function begin(): Promise<RunningPlayer> {
  if (!setUp) throw new Error('installPlayer was not called')
  const [{ startPlayer }, ports] = await Promise.all([import('./start.ts'), setUp.ports()])
  const player = startPlayer(ports, setUp.visit)
  await setUp.onStart?.(player.engine)
  return player
}
