import type { ChapterSeconds } from '#storage/place.ts'
import type { Emitter } from './emitter.ts'
import type { Playable } from './model.ts'
import { DEFAULT_SPEED } from '#contract/player-limits.ts'

/** The listener's actions: the engine runs them in this page, the window link in the player's window. */
export interface Controls {
  play: () => void
  pause: () => void
  toggle: () => void
  /** Crosses chapter borders; stays between 0 and the end of the book (PLAY-02). */
  jump: (bySeconds: number) => void
  /** Doesn't change whether the book plays. */
  goTo: (place: ChapterSeconds) => void
  nextChapter: () => void
  /** Goes to the beginning of this chapter, or in its first seconds to the previous chapter. */
  previousChapter: () => void
  setSpeed: (speed: number) => void
  /** 0 to 1. */
  setVolume: (volume: number) => void
  turnOff: () => void
}

/** What screens read from an engine, in this page or in the player's window. */
export interface Readings {
  on: Emitter<EngineEvents>['on']
  state: () => EngineState
  place: () => ChapterSeconds
  /** Both in seconds of the current chapter: its length, and the end of its buffered part. */
  duration: () => number
  buffered: () => number
}

export type PlayerRemote = Controls & Readings

export interface Engine extends Controls, Readings {
  /** False where only the system controls the volume (iOS): no fade, and no volume keys. */
  readonly setsVolume: boolean
  /** Loads a title, paused at a place (or its beginning) and at its own speed. */
  load: (title: Playable, place: ChapterSeconds | undefined, speed?: number) => void
  /** Moves a paused book to its place on another device; not recorded as a move of this listener. */
  stand: (place: ChapterSeconds) => void
  /**
   * Loops silence while nothing plays, so that the page stays awake; calls `onSound` as it plays. The place
   * does not change. Returns the function that stops it.
   */
  rest: (silence: string, onSound: () => void) => () => void
  /** The other device that took over the sound has stopped playing. */
  endElsewhere: () => void
  /**
   * Moves forward within the chapter, over silence. Not a seek: nothing is recorded, and nothing offers to undo it. Does
   * nothing if the target isn't loaded yet, because waiting for it would take longer than the silence.
   */
  skipTo: (seconds: number) => void
  /** 0 to 1, multiplied with the volume; used by the sleep timer. */
  setFade: (share: number) => void
  /** While true, the next chapter waits, paused, when a chapter ends. */
  pauseAtChapterEnd: (hold: boolean) => void
  /** Call when a missing chapter may have become available. */
  retryOrLookAhead: () => void
}

/** A snapshot of playback. `duration` is the chapter's, measured by the element where it is loaded. */
export interface Playback extends ChapterSeconds {
  readonly title: Playable
  readonly duration: number
}

export interface EngineEvents {
  /** About four times a second while sound plays; never during an unfinished seek. */
  tick: Playback
  play: Playback
  pause: Playback
  /** The listener or a timer moved the playhead; `from` is the place before. */
  seek: Playback & { readonly from: ChapterSeconds }
  /** The current chapter changed: reached, selected or loaded. */
  chapterStart: Playback
  chapterEnd: Playback
  waiting: Playback & { readonly waitingFor: WaitingFor }
  error: Playback & { readonly reason: Fault; readonly retryInMs: number }
  ended: Playback
  /** Sound is audible: after play, a chapter change or a wait. */
  sounding: Playback
  load: Playback
  off: { readonly title: Playable }
  change: EngineState
}

type WaitingFor = 'chapter' | 'sound'
/** `unreachable`: the element could not fetch or decode; `seek`: it did not reach the target. */
export type Fault = 'unreachable' | 'seek'
type Status = 'off' | 'paused' | 'playing' | 'waiting' | 'ended'

/** The same object while nothing changes. The playhead is separate: see `place()`. */
export interface EngineState {
  readonly title: Playable | undefined
  readonly status: Status
  readonly waitingFor: WaitingFor | undefined
  readonly chapter: number
  readonly stored: boolean
  /** Another tab or device took over and paused this one, until it plays again. */
  readonly wentElsewhere: boolean
  readonly speed: number
  /** 0 to 1. */
  readonly volume: number
}

export const OFF: EngineState = {
  title: undefined,
  status: 'off',
  waitingFor: undefined,
  chapter: 0,
  stored: false,
  wentElsewhere: false,
  speed: DEFAULT_SPEED,
  volume: 1,
}
