import { beforeEach, describe, expect, test } from 'vitest'
import type { HeardPlace } from '#storage/place.ts'
import { startRecorder, type PlayerEvents, type HeardMoment, type Recorder } from './recorder.ts'

type Kind = Parameters<PlayerEvents['on']>[0]
let kept: HeardPlace[]
let nowMs: number
let mayWrite: boolean
let recorder: Recorder
let hearers: Map<Kind, (moment: HeardMoment) => void>

const moment = (chapter: number, seconds: number, slug = 'salt', kind: 'book' | 'sample' = 'book') => ({
  title: { slug, kind },
  chapter,
  seconds,
})
const say = (kind: Kind, ...at: Parameters<typeof moment>) => hearers.get(kind)?.(moment(...at))

function play(chapter: number, fromSeconds: number, toSeconds: number, slug = 'salt') {
  for (let seconds = fromSeconds; seconds <= toSeconds; seconds += 0.25) {
    nowMs += 250
    say('tick', chapter, seconds, slug)
  }
}
const places = () => kept.map(({ chapter, seconds }) => [chapter, seconds])

beforeEach(() => {
  kept = []
  nowMs = 1_000_000
  mayWrite = true
  hearers = new Map()
  recorder = startRecorder(
    {
      on(kind, hear) {
        hearers.set(kind, hear)
        return () => void hearers.delete(kind)
      },
    },
    { keep: (place) => void kept.push(place), mayWrite: () => mayWrite, nowMs: () => nowMs },
  )
})

describe('storing places', () => {
  test('PLAY-12: stores the first place at about 1 s', () => {
    play(1, 0, 0.75)
    expect(kept).toEqual([])
    play(1, 1, 3)
    expect(places()).toEqual([[1, 1]])
  })

  test('PLAY-11: then stores one every 5 s, from 5 s on', () => {
    play(1, 0, 21)
    expect(places()).toEqual([
      [1, 1],
      [1, 6],
      [1, 11],
      [1, 16],
      [1, 21],
    ])
    expect(kept.map(({ listenedSeconds }) => listenedSeconds)).toEqual([1, 5, 5, 5, 5])
  })

  test('PLAY-11: stores the first place of a chapter between its fifth and tenth second', () => {
    play(1, 290, 300)
    kept = []
    play(2, 0, 4.75)
    expect(kept).toEqual([])
    play(2, 5, 10)
    expect(kept).toHaveLength(1)
  })

  test('stores one on pause, on a seek, at a chapter’s end and when the page is hidden', () => {
    play(1, 0, 2.5)
    say('pause', 1, 2.5)
    play(1, 2.5, 3.5)
    say('seek', 1, 100)
    play(1, 100, 101)
    say('chapterEnd', 1, 120)
    play(2, 0, 2)
    recorder.hide()
    expect(places()).toEqual([
      [1, 1],
      [1, 2.5],
      [1, 100],
      [1, 120],
      [2, 2],
    ])
  })

  test('does not store the same place again on pause or a second hide', () => {
    play(1, 0, 1)
    say('pause', 1, 1)
    recorder.hide()
    recorder.hide()
    expect(places()).toEqual([[1, 1]])
  })

  test('stores which file of sound the place belongs to, so that it survives a new order of chapters', () => {
    const chapters = [
      { number: 1, sound: 'first' },
      { number: 2, sound: 'second' },
    ]
    hearers.get('seek')?.({ ...moment(2, 9), title: { slug: 'salt', kind: 'book', chapters } })
    expect(kept).toMatchObject([{ chapter: 2, seconds: 9, sound: 'second' }])
  })

  test('never stores places of samples', () => {
    for (const kind of ['tick', 'pause', 'seek'] as const) say(kind, 1, 30, 'salt', 'sample')
    recorder.hide()
    expect(kept).toEqual([])
  })

  test('another book starts over', () => {
    play(3, 600, 602)
    play(1, 0, 1, 'orchard')
    expect(kept.map(({ slug, fromSeconds }) => [slug, fromSeconds])).toEqual([
      ['salt', 600],
      ['orchard', 0],
    ])
  })
})

describe('the start of the listening session', () => {
  const began = () => kept.map(({ chapter, seconds, fromSeconds }) => [chapter, seconds, fromSeconds])

  test('PLAY-06: is the resume, a move, or 0 after the previous chapter', () => {
    say('load', 1, 20)
    play(1, 20, 26)
    say('seek', 1, 50)
    play(1, 50, 52)
    say('pause', 1, 52)
    say('chapterEnd', 1, 60)
    play(2, 0, 6)
    expect(began()).toEqual([
      [1, 20, 20],
      [1, 25, 20],
      [1, 50, 50],
      [1, 52, 50],
      [1, 60, 50],
      [2, 5.25, 0],
    ])
  })

  test('PLAY-06: is the resume even if the first tick is late', () => {
    say('load', 1, 20)
    play(1, 20.5, 21)
    expect(began()).toEqual([[1, 20.5, 20]])
  })

  test('PLAY-06: play and pause without sound store nothing', () => {
    say('load', 1, 20)
    say('pause', 1, 20)
    recorder.hide()
    expect(kept).toEqual([])
  })
})

describe('stray places', () => {
  test('trap 3: a source that restarted at 0 never overwrites the listener’s place', () => {
    play(2, 600, 610)
    kept = []
    play(2, 0, 30)
    say('pause', 2, 30)
    say('chapterEnd', 2, 31)
    recorder.hide()
    play(1, 0, 30)
    expect(kept).toEqual([])
  })

  test('trap 3: stores a deliberate move back, and the places after it', () => {
    play(2, 600, 610)
    kept = []
    say('seek', 1, 10)
    play(1, 10, 16)
    expect(places()).toEqual([
      [1, 10],
      [1, 14.75],
    ])
  })

  test('the five seconds of a resume do not count as a stray', () => {
    play(2, 600, 606)
    say('pause', 2, 606)
    kept = []
    play(2, 601, 607)
    expect(kept).not.toEqual([])
  })

  test('six seconds back is no stray, more is', () => {
    play(2, 600, 606)
    kept = []
    say('pause', 2, 599.9)
    expect(kept).toEqual([])
    say('pause', 2, 600)
    expect(places()).toEqual([[2, 600]])
  })

  test('counts progress of less than three seconds as heard, not longer or backward steps', () => {
    for (const seconds of [0.5, 3.4, 6.4, 5.4, 6.9]) say('tick', 1, seconds)
    kept = []
    say('pause', 1, 7)
    say('load', 1, 0)
    play(1, 0.5, 0.5)
    for (const seconds of [0.5, 0.25, 0.75, 3.75, 4.5]) say('tick', 1, seconds)
    say('pause', 1, 4.5)
    expect(kept.slice(-2).map(({ listenedSeconds }) => listenedSeconds)).toEqual([0.5, 0.8])
  })

  test('a jump is not counted as heard', () => {
    play(1, 0, 2)
    say('seek', 1, 500)
    play(1, 500, 500.5)
    say('pause', 1, 500.5)
    const heard = kept.reduce((sum, { listenedSeconds = 0 }) => sum + listenedSeconds, 0)
    expect(heard).toBeCloseTo(2.5)
  })
})

test('trap 21: a tab that lost the sound writes nothing', () => {
  play(1, 0, 3)
  kept = []
  mayWrite = false
  say('pause', 1, 3)
  play(1, 3, 30)
  say('seek', 1, 0)
  recorder.hide()
  expect(kept).toEqual([])
})

test('PLAY-13: a book reopened at an earlier place from another device is recorded from there', () => {
  play(3, 40, 50)
  say('load', 1, 10)
  kept = []
  play(1, 10, 12)
  expect(places()).toEqual([[1, 10]])
})
