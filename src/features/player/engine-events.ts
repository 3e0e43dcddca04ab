import { DEFAULT_SPEED } from '#contract/player-limits.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { Playable } from './model.ts'

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

export type WaitingFor = 'chapter' | 'sound'
/** `unreachable`: the element could not fetch or decode; `seek`: it could not go where it was told to. */
export type Fault = 'unreachable' | 'seek'
export type Status = 'off' | 'paused' | 'playing' | 'waiting' | 'ended'

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
