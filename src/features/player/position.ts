import { create } from 'zustand'
import { whileSeen } from '#ui/while-seen.ts'
import type { Readings } from './engine-interface.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { bookSeconds, chapterAt, placeAt, secondsIntoBook, type Chapter } from './model.ts'
import { usePlayer } from './store.ts'

/** The position of the listener. The same object as long as nothing moved. */
export interface Position {
  readonly chapter: number
  readonly seconds: number
  /** Of this chapter, in seconds: its length and how far it is fetched. */
  readonly duration: number
  readonly buffered: number
}

const NOWHERE: Position = { chapter: 0, seconds: 0, duration: 0, buffered: 0 }
const MEASURES = ['chapter', 'seconds', 'duration', 'buffered'] as const
const MOVES = ['tick', 'seek', 'chapterStart', 'load', 'sounding', 'pause', 'ended', 'off'] as const

/** A store of its own: nothing else of the screen renders four times a second. */
export const usePosition = create<Position>()(() => NOWHERE)

let unfollow: (() => void) | undefined

/** Shows this player's place from now on, four times a second while the page is seen. */
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

/** The scrubber runs along this: one chapter, or the book from end to end. All in seconds of sound. */
interface Timeline {
  readonly of: 'chapter' | 'book'
  readonly at: number
  readonly length: number
  readonly buffered: number
  /** Undefined for a place that does not lie on it. */
  along: (place: ChapterSeconds) => number | undefined
  placeFor: (at: number) => ChapterSeconds
  /** The beginnings of its chapters, the first one left out. */
  readonly borders: readonly number[]
  storedParts: (stored: ReadonlySet<number>) => readonly (readonly [number, number])[]
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

/** The line that figures and scrubber share: the chapter's, or the book's where the listener asked for it. */
export function useTimeline(): Timeline {
  const position = usePosition()
  const chapters = usePlayer((store) => store.state.title?.chapters)
  const whole = usePlayer((store) => store.wholeBook)
  return whole && chapters && chapters.length > 1
    ? bookTimeline(chapters, position)
    : chapterTimeline(position)
}
