import { create } from 'zustand'
import type { ChapterSeconds } from '#storage/place.ts'
import type { PlayerRemote } from './controls.ts'
import { OFF, type EngineState } from './engine-events.ts'
import type { NextTitle } from './ports.ts'
import type { RunningPlayer } from './running-player.ts'
import type { SleepState } from './sleep-timer.ts'

export interface PlayerStore {
  /** Undefined until something is to be played for the first time. */
  readonly player: RunningPlayer | undefined
  /** This page's engine, or the one in the player's window. */
  readonly controls: PlayerRemote | undefined
  /** The sound is in the player's window; this page only steers it. */
  readonly isInOtherWindow: boolean
  readonly state: EngineState
  readonly sleep: SleepState
  /** The title that begins by itself, unless somebody says no. */
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
