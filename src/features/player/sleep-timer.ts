import { createStore } from 'zustand'
import type { ChapterSeconds } from '#storage/place.ts'
import type { Engine } from './engine-interface.ts'

export type SleepChoice =
  | { readonly kind: 'minutes'; readonly minutes: number }
  | { readonly kind: 'chapter' | 'nextChapter' }

/** The same object while no visible value changes. */
export interface SleepState {
  readonly choice: SleepChoice | undefined
  /** Whole seconds of sound until silence; undefined for the end of a chapter. */
  readonly leftSeconds: number | undefined
  /** The last seconds: a fade, or an announcement where the volume can't be set. */
  readonly fading: boolean
}

export interface SleepTimer {
  start: (choice: SleepChoice) => void
  clear: () => void
  /** Restarts the same span at full volume. */
  extend: () => void
  /** Adds ADDED_MINUTES, or one chapter if the timer counts chapters. */
  add: () => void
  state: () => SleepState
  subscribe: (onChange: () => void) => () => void
}

/** Long enough for a listener who is awake to react, short enough to miss little. */
export const FADE_SECONDS = 20
export const ADDED_MINUTES = 15

const AWAKE: SleepState = { choice: undefined, leftSeconds: undefined, fading: false }

/**
 * Counts sound, not time: a paused book does not run its timer down. In minutes mode the last 20 s fade, then
 * it pauses and goes back to where the fade began; at a chapter's end it stops without a fade (PLAY-14). If
 * the volume can't be set, nothing fades: every word was heard, so it does not go back.
 */
export function createSleepTimer(engine: Engine, nowMs: () => number): SleepTimer {
  const shown = createStore<SleepState>(() => AWAKE)
  const state = shown.getState
  let leftMs = 0
  let countedAt: number | undefined
  let fadeFrom: ChapterSeconds | undefined

  const become = (next: SleepState) => {
    const { choice, leftSeconds, fading } = state()
    if (next.choice !== choice || next.leftSeconds !== leftSeconds || next.fading !== fading)
      shown.setState(next)
  }

  const clear = () => {
    engine.setFade(1)
    engine.pauseAtChapterEnd(false)
    fadeFrom = undefined
    become(AWAKE)
  }

  const start = (choice: SleepChoice) => {
    clear()
    engine.pauseAtChapterEnd(choice.kind === 'chapter')
    leftMs = choice.kind === 'minutes' ? choice.minutes * 60_000 : 0
    countedAt = engine.state().status === 'playing' ? nowMs() : undefined
    become({ choice, leftSeconds: choice.kind === 'minutes' ? leftMs / 1000 : undefined, fading: false })
  }

  const count = () => {
    const now = nowMs()
    const passed = countedAt === undefined ? 0 : now - countedAt
    countedAt = now
    if (state().choice?.kind !== 'minutes') return
    leftMs -= passed
    if (leftMs <= 0) return fallAsleep()
    const fading = leftMs <= FADE_SECONDS * 1000
    if (fading) {
      fadeFrom ??= engine.place()
      engine.setFade(leftMs / 1000 / FADE_SECONDS)
    }
    become({ choice: state().choice, leftSeconds: Math.ceil(leftMs / 1000), fading })
  }

  const fallAsleep = () => {
    const back = fadeFrom
    engine.pause()
    clear()
    // Now rather than at the next play, so that other devices see the place too.
    if (back && engine.setsVolume) engine.goTo(back)
  }

  const suspend = () => {
    countedAt = undefined
  }
  engine.on('tick', count)
  engine.on('sounding', () => void (countedAt = nowMs()))
  engine.on('pause', suspend)
  engine.on('waiting', suspend)
  engine.on('seek', () => void (fadeFrom &&= engine.place()))
  engine.on('chapterEnd', () => {
    if (state().choice?.kind === 'chapter') clear()
    else if (state().choice?.kind === 'nextChapter') start({ kind: 'chapter' })
  })
  engine.on('load', clear)
  engine.on('off', clear)

  const add = () => {
    const { choice } = state()
    if (!choice) return
    if (choice.kind !== 'minutes') return start({ kind: 'nextChapter' })
    leftMs += ADDED_MINUTES * 60_000
    engine.setFade(1)
    fadeFrom = undefined
    become({ choice, leftSeconds: Math.ceil(leftMs / 1000), fading: false })
  }

  return {
    start,
    clear,
    add,
    extend() {
      const { choice } = state()
      if (choice) start(choice)
    },
    state,
    subscribe: shown.subscribe,
  }
}
