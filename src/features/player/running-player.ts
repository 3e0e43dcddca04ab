import type { ChapterSeconds } from '#storage/place.ts'
import type { Bookmarks } from './bookmarks.ts'
import type { Engine } from './controls.ts'
import type { TitleRef } from './model.ts'
import type { PlayerPorts } from './ports.ts'
import type { SleepTimer } from './sleep-timer.ts'
import type { WindowSide } from './window-link.ts'

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
   * Makes a title the current one at its saved place, or goes on with it. Rejects as `loadBook` does; whatever
   * was playing then plays on.
   */
  open: (title: TitleRef, options?: { play?: boolean; at?: ChapterSeconds }) => Promise<void>
  /**
   * Nothing is to be heard any more, here or in the player's window, and what is about to be opened is not: whoever
   * listened is gone.
   */
  silence: () => void
  /** Steers the window that this tab has opened; safe to call again. */
  steerWindow: () => void
}
