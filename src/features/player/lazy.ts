import { DESKTOP_WIDTH } from '#contract/limits.ts'
import { isForgetful } from '#storage/page-storage.ts'
import { registerUserScope } from '#session/user-scope.ts'
import { toast } from '#ui/toast.ts'
import type { Engine } from './engine-interface.ts'
import type { TitleRef } from './model.ts'
import type { PlayerPorts } from './ports.ts'
import { type RunningPlayer, usePlayer } from './store.ts'
import { unlockSound } from './sound-element.ts'
import { openedWindowId, openWindow, ownWindowId } from './window-name.ts'

/** `app/` gives this once, at start-up. Nothing of it runs before something is to be played. */
interface PlayerSetUp {
  ports: () => PlayerPorts | Promise<PlayerPorts>
  /** Where the recorder is wired, before the first sound. */
  onStart?: (engine: Engine) => void | Promise<void>
  /** Shows a page of the shop, for the window's sake. */
  visit: (path: string) => void
}

let setUp: PlayerSetUp | undefined
let started: Promise<RunningPlayer> | undefined
let playerWindow: Window | null = null

export function installPlayer(given: PlayerSetUp): void {
  setUp = given
  // Before the places, whose last one is still theirs (PLAY-29). A visitor's sample plays on.
  registerUserScope('player', { leave: silencePlayer, close: silencePlayer })
  // After a reload this page may still be the opener of a window that plays.
  if (openedWindowId() && !ownWindowId()) void thePlayer()
}

/** The one player of this page; the first call loads it. */
export function thePlayer(): Promise<RunningPlayer> {
  started ??= begin().catch((error: unknown) => {
    // A chunk that could not be loaded offline may be there later.
    started = undefined
    throw error
  })
  return started
}

/**
 * A listener pressed play on a title. From 768 px a book opens the player's window (BOOK-19), on phones the full
 * player (BOOK-28); a sample plays in the bar at the bottom there, and full screen on phones. `toFullPlayer`
 * shows the player's screen. Has to be called in the press itself.
 */
export async function listenTo(title: TitleRef, toFullPlayer: () => void): Promise<void> {
  // In a browser that keeps nothing, a window of its own would not know who is logged in.
  const ownWindow = isWide() && title.kind === 'book' && !isForgetful()
  if (ownWindow && openPlayerWindow(title.slug)) return
  unlockSound()
  if (title.kind === 'book' || !isWide()) toFullPlayer()
  await (await thePlayer()).open(title, { play: true })
  // Last, since one notice takes the place of another.
  if (ownWindow) toast('Your browser blocked the player’s window, so it opened here.')
}

/** Shows the book in a window of its own and hands the place over. False where the browser does not allow it. */
export function openPlayerWindow(slug: string): boolean {
  const { player, isInOtherWindow, state } = usePlayer.getState()
  if (isInOtherWindow && state.title?.slug === slug && playerWindow && !playerWindow.closed) {
    playerWindow.focus()
    return true
  }
  const here = !isInOtherWindow && state.title?.slug === slug && state.title.kind === 'book'
  playerWindow = openWindow({ slug, place: here ? player?.engine.place() : undefined })
  if (!playerWindow) return false
  player?.engine.pause()
  void thePlayer().then((running) => running.steerWindow())
  return true
}

/** The listener is gone: nothing of theirs is heard, shown or steered any more. */
export const silencePlayer = (): void => usePlayer.getState().player?.silence()

/** Brings the window that plays to the front. */
export const showPlayerWindow = (): void => playerWindow?.focus()

export const isWide = (): boolean => window.matchMedia(`(min-width: ${DESKTOP_WIDTH}px)`).matches

async function begin(): Promise<RunningPlayer> {
  if (!setUp) throw new Error('installPlayer was not called')
  const [{ startPlayer }, ports] = await Promise.all([import('./start.ts'), setUp.ports()])
  const player = startPlayer(ports, setUp.visit)
  await setUp.onStart?.(player.engine)
  return player
}
