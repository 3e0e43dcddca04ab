import { create } from 'zustand'
import type { ChapterSeconds } from '#storage/place.ts'
import { type PlayerRemote, OFF, type EngineState, type Engine } from './engine-interface.ts'
import type { NextTitle, PlayerPorts } from './ports.ts'
import type { SleepState, SleepTimer } from './sleep-timer.ts'
import type { Bookmarks } from './bookmarks.ts'
import type { TitleRef } from './model.ts'
import type { WindowSide } from './window-link.ts'

interface PlayerStore {
  /** Undefined until something is to be played for the first time. */
  readonly player: RunningPlayer | undefined
  /** This page's engine, or the one in the player's window. */
  readonly controls: PlayerRemote | undefined
  /** The sound is in the player's window; this page only steers it. */
  readonly isInOtherWindow: boolean
  readonly state: EngineState
  readonly sleep: SleepState
  /** The title that starts automatically unless the listener declines. */
  readonly nextUp?: (NextTitle & { readonly secondsLeft: number }) | undefined
  /** The position before a far jump, for as long as the way back is offered. */
  readonly jumpedFrom: ChapterSeconds | undefined
  /** The scrubber and its figures are the whole book's instead of the chapter's. */
  readonly wholeBook: boolean
  /** Full while the player's own screen is shown (PLAY-15). */
  readonly display: 'mini' | 'full'
}

/** The selected title and how it is shown. Lives outside the router; the playhead is in `position.ts`. */
export const usePlayer = create<PlayerStore>()(() => ({
  player: undefined,
  controls: undefined,
  isInOtherWindow: false,
  state: OFF,
  sleep: { choice: undefined, leftSeconds: undefined, fading: false },
  jumpedFrom: undefined,
  wholeBook: false,
  display: 'mini',
}))

export const wantsSound = (state: EngineState): boolean =>
  state.status === 'playing' || state.status === 'waiting'

/** The one player of a page, once it has been started. */
export interface RunningPlayer {
  readonly engine: Engine
  readonly sleep: SleepTimer
  readonly bookmarks: Bookmarks
  readonly ports: PlayerPorts
  /** To the title that is about to begin: not now, or at once. */
  readonly nextUp: { readonly no: () => void; readonly now: () => void } | undefined
  /** Only in the player's own window. */
  readonly window: WindowSide | undefined
  /**
   * Makes a title the current one at its saved place, or continues it. Rejects as `loadBook` does; what was playing then
   * plays on.
   */
  open: (title: TitleRef, options?: { play?: boolean; at?: ChapterSeconds }) => Promise<void>
  /**
   * Ends all sound, here and in the player's window, and cancels an opening title: the user has left.
   */
  silence: () => void
  /** Steers the window that this tab has opened; safe to call again. */
  steerWindow: () => void
}
