import { create } from 'zustand'
import type { ChapterSeconds } from '#storage/place.ts'
import { type PlayerRemote, OFF, type EngineState, type Engine } from './engine-interface.ts'
import type { NextTitle, PlayerPorts } from './ports.ts'
import type { SleepState, SleepTimer } from './sleep-timer.ts'
import type { Bookmarks } from './bookmarks.ts'
import type { Cuts, TitleRef } from './model.ts'
import type { WindowSide } from './window-link.ts'

interface PlayerStore {
  /** Undefined until the first title is played. */
  readonly player: RunningPlayer | undefined
  /** The engine of this page, or of the player's window. */
  readonly controls: PlayerRemote | undefined
  /** The sound plays in the player's window; this page only controls it. */
  readonly isInOtherWindow: boolean
  readonly state: EngineState
  readonly sleep: SleepState
  /** The title that starts automatically unless the listener declines. */
  readonly nextUp?: (NextTitle & { readonly secondsLeft: number }) | undefined
  /** The place before a long jump, while the player offers to undo it. */
  readonly jumpedFrom: ChapterSeconds | undefined
  /** What is skipped of the book's silences; undefined if they aren't known, or for want of the setting. */
  readonly cuts: Cuts | undefined
  /** Scrubber and figures show the whole book instead of the chapter. */
  readonly wholeBook: boolean
  /** 'full' while the player's screen is shown (PLAY-15), 'inline' while the recording's own bar is in view. */
  readonly display: 'mini' | 'full' | 'inline'
}

/** Lives outside the router; the playhead is in `position.ts`. */
export const usePlayer = create<PlayerStore>()(() => ({
  player: undefined,
  controls: undefined,
  isInOtherWindow: false,
  state: OFF,
  sleep: { choice: undefined, leftSeconds: undefined, fading: false },
  jumpedFrom: undefined,
  cuts: undefined,
  wholeBook: false,
  display: 'mini',
}))

export const wantsSound = (state: EngineState): boolean =>
  state.status === 'playing' || state.status === 'waiting'

export interface RunningPlayer {
  readonly engine: Engine
  readonly sleep: SleepTimer
  readonly bookmarks: Bookmarks
  readonly ports: PlayerPorts
  readonly nextUp: { readonly no: () => void; readonly now: () => void } | undefined
  /** Only in the player's own window. */
  readonly window: WindowSide | undefined
  /**
   * Opens a title at its saved place, or continues it. Rejects as `loadBook` does; the previous title then
   * keeps playing.
   */
  open: (title: TitleRef, options?: { play?: boolean; at?: ChapterSeconds }) => Promise<void>
  /**
   * Stops all sound, here and in the player's window, and cancels a pending title: the user has logged out.
   */
  silence: () => void
  /** Connects to the window that this tab has opened; idempotent. */
  steerWindow: () => void
}
