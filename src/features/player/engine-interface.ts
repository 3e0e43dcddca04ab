import type { ChapterSeconds } from '#storage/place.ts'
import type { Emitter } from './emitter.ts'
import type { Playable } from './model.ts'
import { DEFAULT_SPEED } from '#contract/player-limits.ts'

/** The actions of a listener: the engine does them here, the window link in another window. */
export interface Controls {
  play: () => void
  pause: () => void
  toggle: () => void
  /** Over chapter borders, never before 0 nor past the end of the book (PLAY-02). */
  jump: (bySeconds: number) => void
  /** To a place of the book; keeps playing if it played. */
  goTo: (place: ChapterSeconds) => void
  nextChapter: () => void
  /** To the beginning of this chapter, or within its first seconds to the one before. */
  previousChapter: () => void
  setSpeed: (speed: number) => void
  /** 0 to 1. */
  setVolume: (volume: number) => void
  turnOff: () => void
}

/** The part of an engine that a screen reads; another window's engine offers it too. */
export interface Readings {
  on: Emitter<EngineEvents>['on']
  state: () => EngineState
  place: () => ChapterSeconds
  /** Of the current chapter, in seconds: its length, and how far it is fetched. */
  duration: () => number
  buffered: () => number
}

/** Enough to show a player and to steer it. */
export type PlayerRemote = Controls & Readings

export interface Engine extends Controls, Readings {
  /** False where the system alone decides how loud it is: there is no fade, and no key for it. */
  readonly setsVolume: boolean
  /** Makes a title the current one, paused, at a place (or its beginning) and at its own speed. */
  load: (title: Playable, place: ChapterSeconds | undefined, speed?: number) => void
  /** Moves a paused book to a place that was heard elsewhere; not recorded as this listener's move. */
  stand: (place: ChapterSeconds) => void
  /**
   * While nothing plays, sounds like nothing, so that the page stays awake; `onSound` is called as it goes. Undone by what
   * is returned; the place stays.
   */
  rest: (silence: string, onSound: () => void) => () => void
  /** The sound that went to another device has ended there. */
  endElsewhere: () => void
  /** 0 to 1 on top of the volume, for the sleep timer. */
  setFade: (share: number) => void
  /** While true, a chapter that ends leaves the next one waiting, paused. */
  pauseAtChapterEnd: (hold: boolean) => void
  /** Something that was missing may be there now. */
  retryOrLookAhead: () => void
}

/** The sound at one moment. `duration` is the chapter's, measured where it is loaded. */
export interface Playback extends ChapterSeconds {
  readonly title: Playable
  readonly duration: number
}

export interface EngineEvents {
  /** About four times a second while sound is heard; never during a jump that has not landed. */
  tick: Playback
  play: Playback
  pause: Playback
  /** The listener (or a timer) moved; `from` is where the ear was. */
  seek: Playback & { readonly from: ChapterSeconds }
  /** A chapter has become the current one: run into, chosen, or loaded. */
  chapterStart: Playback
  /** A chapter was heard to its end. */
  chapterEnd: Playback
  waiting: Playback & { readonly waitingFor: WaitingFor }
  error: Playback & { readonly reason: Fault; readonly retryInMs: number }
  /** The book was heard to its end. */
  ended: Playback
  /** Sound begins to come out: after play, a chapter change, or a wait. */
  sounding: Playback
  load: Playback
  off: { readonly title: Playable }
  /** Anything of `state()` is different now. */
  change: EngineState
}

type WaitingFor = 'chapter' | 'sound'
/** `unreachable`: the element could not fetch or decode; `seek`: it could not go where it was told to. */
export type Fault = 'unreachable' | 'seek'
type Status = 'off' | 'paused' | 'playing' | 'waiting' | 'ended'

/** The same object as long as nothing in it changed. The playhead is not in it: that is `place()`. */
export interface EngineState {
  readonly title: Playable | undefined
  readonly status: Status
  readonly waitingFor: WaitingFor | undefined
  readonly chapter: number
  /** The chapter comes from this device. */
  readonly stored: boolean
  /** Another tab took over and paused this one, until it plays again. */
  readonly wentElsewhere: boolean
  readonly speed: number
  /** 0 to 1. */
  readonly volume: number
}

/** Nothing to play. */
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
