import type { ChapterSeconds } from '#storage/place.ts'
import type { Emitter } from './emitter.ts'
import type { EngineEvents, EngineState } from './engine-events.ts'
import type { Playable } from './model.ts'

/** The actions of a listener: the engine does them here, the window link in another window. */
export interface Controls {
  play: () => void
  pause: () => void
  toggle: () => void
  /** Over chapter borders, never before 0 nor past the end of the book (PLAY-02). */
  jump: (bySeconds: number) => void
  /** To a place of the book; goes on playing if it played. */
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
  /** Stands at a place, paused, without anybody here having wished it: nothing is kept of it. */
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
