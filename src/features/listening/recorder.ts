import { FIRST_SAVE_AT_SECONDS, SAVE_EVERY_SECONDS } from '#contract/limits.ts'
import type { ChapterSeconds, HeardPlace } from '#storage/place.ts'

/** The player's state at one moment. Samples are never recorded. */
export interface HeardMoment extends ChapterSeconds {
  readonly title: {
    readonly slug: string
    readonly kind: 'book' | 'sample' | 'recording'
    readonly chapters?: readonly { readonly number: number; readonly sound?: string }[]
  }
}

/** `seek` covers every move by the listener or a timer. */
export interface PlayerEvents {
  on(
    kind: 'load' | 'tick' | 'pause' | 'seek' | 'chapterEnd' | 'ended',
    listener: (moment: HeardMoment) => void,
  ): () => void
}

interface RecorderPorts {
  keep: (place: HeardPlace) => void
  /** False in a tab whose sound another tab has taken over (trap 21). */
  mayWrite: () => boolean
  /** A monotonic clock in milliseconds. */
  nowMs: () => number
}

export interface Recorder {
  /** Stores the last moment now: the page is being hidden or closed, and no later event is guaranteed. */
  hide: () => void
  stop: () => void
}

/** Ticks are a fraction of this apart; a larger difference is a jump and wasn't heard. */
const TICK_GAP_SECONDS = 3
/**
 * Rewinding on resume (PLAY-06) and rounding stay below this; a source that began at 0 by mistake does not.
 */
const STRAY_BACK_SECONDS = 6

/**
 * Stores places from the player's ticks: at about 1 s of a book (PLAY-12), every 5 s from 5 s on (PLAY-11),
 * and whenever the sound stops or moves.
 *
 * A place further back than the last one is stored only after a `seek`: a source that restarted at its
 * beginning must never overwrite the listener's place (trap 3).
 */
export function startRecorder(player: PlayerEvents, { keep, mayWrite, nowMs }: RecorderPorts): Recorder {
  let last: HeardMoment | undefined
  let keptAtMs: number | undefined
  let keptFor: HeardMoment | undefined
  let listened = 0
  let stretch: HeardMoment | undefined

  const beginStretch = (moment: HeardMoment) => void (stretch = moment)

  const begin = (moment: HeardMoment) => {
    if (stretch?.title.slug !== moment.title.slug) beginStretch(moment)
    last = moment
    keptAtMs = undefined
    keptFor = undefined
    listened = 0
  }

  const strays = (moment: HeardMoment) =>
    last !== undefined &&
    (moment.chapter < last.chapter ||
      (moment.chapter === last.chapter && moment.seconds < last.seconds - STRAY_BACK_SECONDS))

  const write = (moment: HeardMoment) => {
    if (!mayWrite()) return
    keep({
      slug: moment.title.slug,
      chapter: moment.chapter,
      seconds: moment.seconds,
      sound: moment.title.chapters?.find(({ number }) => number === moment.chapter)?.sound,
      fromSeconds: stretch?.chapter === moment.chapter ? Math.min(stretch.seconds, moment.seconds) : 0,
      listenedSeconds: Math.round(listened * 10) / 10,
    })
    keptAtMs = nowMs()
    keptFor = moment
    listened = 0
  }

  const due = (moment: HeardMoment) => {
    if (keptAtMs === undefined) return moment.seconds >= FIRST_SAVE_AT_SECONDS
    return moment.seconds > SAVE_EVERY_SECONDS && nowMs() - keptAtMs >= SAVE_EVERY_SECONDS * 1000
  }

  const isBook = (moment: HeardMoment) => moment.title.kind === 'book'

  const tick = (moment: HeardMoment) => {
    if (!isBook(moment)) return
    if (last?.title.slug !== moment.title.slug) begin(moment)
    if (strays(moment)) return
    const step = last?.chapter === moment.chapter ? moment.seconds - last.seconds : 0
    if (step < TICK_GAP_SECONDS) listened += Math.max(0, step)
    last = moment
    if (due(moment)) write(moment)
  }

  /** Play and pause without sound in between don't change the last place (PLAY-06). */
  const pause = (moment: HeardMoment) => {
    if (last) stopAt(moment)
  }

  /** Stores the place where the sound stopped, unless it is a stray or was the last one stored. */
  const stopAt = (moment: HeardMoment) => {
    if (!isBook(moment) || (last?.title.slug === moment.title.slug && strays(moment))) return
    if (last?.title.slug !== moment.title.slug) begin(moment)
    last = moment
    const same = keptFor && keptFor.chapter === moment.chapter && keptFor.seconds === moment.seconds
    if (!same) write(moment)
  }

  const seek = (moment: HeardMoment) => {
    if (!isBook(moment)) return
    if (last?.title.slug !== moment.title.slug) begin(moment)
    beginStretch(moment)
    last = moment
    write(moment)
  }

  const stops = [
    // Even the same book may resume further back, at a place from another device.
    player.on('load', (moment) => {
      last = undefined
      beginStretch(moment)
    }),
    player.on('tick', tick),
    player.on('pause', pause),
    player.on('seek', seek),
    player.on('chapterEnd', stopAt),
    player.on('ended', stopAt),
  ]
  return {
    hide: () => {
      if (last) stopAt(last)
    },
    stop: () => stops.forEach((stop) => stop()),
  }
}
