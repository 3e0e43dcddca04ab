import { create } from 'zustand'
import { whileSeen } from '#ui/while-seen.ts'
import type { Readings } from './engine-interface.ts'
import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import { useNow } from '#ui/use-now.ts'
import { bookSeconds, chapterAt, placeAt, sameTitle, secondsIntoBook, type Chapter } from './model.ts'
import { resumeSeconds } from './resume.ts'
import { usePlayer, wantsSound } from './store.ts'

/** The same object while nothing moves. */
export interface Position {
  readonly chapter: number
  readonly seconds: number
  /** Both in seconds of this chapter: its length, and the end of its buffered part. */
  readonly duration: number
  readonly buffered: number
}

const NOWHERE: Position = { chapter: 0, seconds: 0, duration: 0, buffered: 0 }
const MEASURES = ['chapter', 'seconds', 'duration', 'buffered'] as const
const MOVES = ['tick', 'seek', 'chapterStart', 'load', 'sounding', 'pause', 'ended', 'off'] as const

/** A separate store, because it changes four times a second and only a few components need it. */
export const usePosition = create<Position>()(() => NOWHERE)

let unfollow: (() => void) | undefined

/** Updates the position from this player, four times a second while the page is visible. */
export function followPosition(player: Readings): void {
  unfollow?.()
  const read = () => {
    const next = { ...player.place(), duration: player.duration(), buffered: player.buffered() }
    const shown = usePosition.getState()
    if (MEASURES.some((key) => next[key] !== shown[key])) usePosition.setState(next, true)
  }
  unfollow = whileSeen(() => {
    const stops = MOVES.map((move) => player.on(move, read))
    read()
    return () => stops.forEach((stop) => stop())
  })
}

/** The second that “Play from” names: where a paused player is, otherwise where the saved place resumes (PLAY-06). */
export function useResumeSeconds(slug: string, saved: ResumePlace | undefined): number {
  const now = useNow()
  const isPaused = usePlayer(
    ({ state }) => sameTitle(state.title, { slug, kind: 'book' }) && !wantsSound(state),
  )
  const paused = usePosition(({ seconds }) => (isPaused ? Math.floor(seconds) : undefined))
  return paused ?? (saved ? resumeSeconds(saved, now) : 0)
}

/** The range of the scrubber, one chapter or the whole book, in seconds of sound. */
interface Timeline {
  readonly of: 'chapter' | 'book'
  readonly at: number
  readonly length: number
  readonly buffered: number
  /** Undefined for a place outside the range. */
  along: (place: ChapterSeconds) => number | undefined
  placeFor: (at: number) => ChapterSeconds
  /** The starts of its chapters, without the first. */
  readonly borders: readonly number[]
  storedParts: (stored: Pick<ReadonlySet<number>, 'has'>) => readonly (readonly [number, number])[]
}

export function chapterTimeline({ chapter, seconds, duration, buffered }: Position): Timeline {
  return {
    of: 'chapter',
    at: seconds,
    length: duration,
    buffered,
    along: (place) => (place.chapter === chapter ? place.seconds : undefined),
    placeFor: (at) => ({ chapter, seconds: at }),
    borders: [],
    storedParts: (stored) => (stored.has(chapter) ? [[0, duration]] : []),
  }
}

export function bookTimeline(chapters: readonly Chapter[], position: Position): Timeline {
  const start = (number: number) => secondsIntoBook(chapters, { chapter: number, seconds: 0 })
  return {
    of: 'book',
    at: secondsIntoBook(chapters, position),
    length: bookSeconds(chapters),
    buffered: start(position.chapter) + position.buffered,
    along: (place) => (chapterAt(chapters, place.chapter) ? secondsIntoBook(chapters, place) : undefined),
    placeFor: (at) => placeAt(chapters, at),
    borders: chapters.slice(1).map(({ number }) => start(number)),
    storedParts: (stored) =>
      chapters
        .filter(({ number }) => stored.has(number))
        .map(({ number, seconds }) => [start(number), start(number) + seconds] as const),
  }
}

/** The range for both figures and scrubber: the chapter, or the book if the listener chose that. */
export function useTimeline(): Timeline {
  const position = usePosition()
  const chapters = usePlayer((store) => store.state.title?.chapters)
  const whole = usePlayer((store) => store.wholeBook)
  return whole && chapters && chapters.length > 1
    ? bookTimeline(chapters, position)
    : chapterTimeline(position)
}
