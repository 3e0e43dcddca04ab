import { beforeEach, describe, expect, test } from 'vitest'
import type { AudioBookTime } from '#contract/listening.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { createFollower, type Follower, type FollowPorts } from './follow-elsewhere.ts'

const HERE = 'laptop'
const row = (chapter: number, seconds: number, deviceId = 'phone', slug = 'salt'): AudioBookTime => ({
  '@id': '/api/user_audio_book_times/row',
  '@type': 'UserAudioBookTime',
  id: 'row',
  audioBook: `/api/audio_books/${slug}`,
  chapter,
  seconds,
  heardAt: '2026-03-01T08:00:00.000Z',
  eventId: crypto.randomUUID(),
  deviceId,
  fromSeconds: null,
})
const spot = ({ chapter, seconds }: ChapterSeconds): ChapterSeconds => ({ chapter, seconds })

let place: ChapterSeconds
let slug: string
/** The listener's action during the request. */
let meanwhile: () => void
let sounding: boolean
let nowMs: number
let on: boolean
let waits: boolean
let answer: { row: AudioBookTime | undefined; afterMs: number }
let log: string[]
let undo: (() => void) | undefined
let follower: Follower

beforeEach(() => {
  place = { chapter: 1, seconds: 100 }
  slug = 'salt'
  meanwhile = () => undefined
  sounding = false
  nowMs = 1_000_000
  on = true
  waits = false
  answer = { row: undefined, afterMs: 50 }
  log = []
  undo = undefined
  const ports: FollowPorts = {
    player: {
      slug: () => slug,
      place: () => place,
      sounding: () => sounding,
      stand: (to) => void ((place = spot(to)), log.push('stands')),
      goTo: (to) => void ((place = spot(to)), log.push('goes')),
      resumesAt: ({ chapter, seconds }) => ({ chapter, seconds: seconds - 5 }),
    },
    deviceId: HERE,
    follow: async () => (meanwhile(), !waits),
    goThere: async () => void log.push('knowingly'),
    isNews: async () => true,
    askWhich: async () => void log.push('asks'),
    record: async (_slug, to) => void log.push(`records ${to.chapter}:${to.seconds}`),
    async ask() {
      log.push('question')
      nowMs += answer.afterMs
      meanwhile()
      return answer.row
    },
    showMoved(_row, back) {
      log.push('says')
      undo = back
    },
    isOn: () => on,
    nowMs: () => nowMs,
  }
  follower = createFollower(ports)
})

describe('an open, paused player', () => {
  test('moves to the place from another device with a notice; undo returns and records that', async () => {
    await follower.onPlace(row(3, 760))
    expect(place).toEqual({ chapter: 3, seconds: 760 })
    expect(log).toEqual(['stands', 'says'])
    undo?.()
    expect(place).toEqual({ chapter: 1, seconds: 100 })
    expect(log.slice(2)).toEqual(['goes', 'records 1:100'])
  })

  test('follows a playing device with one notice, whose undo returns to where it began', async () => {
    await follower.onPlace(row(3, 760))
    await follower.onPlace(row(3, 770))
    await follower.onPlace(row(4, 5))
    expect(place).toEqual({ chapter: 4, seconds: 5 })
    expect(log.filter((what) => what === 'says')).toHaveLength(1)
    undo?.()
    expect(place).toEqual({ chapter: 1, seconds: 100 })
  })

  test('after an undo it does not follow the same device again until play', async () => {
    await follower.onPlace(row(3, 760))
    undo?.()
    await follower.onPlace(row(3, 770))
    expect(place).toEqual({ chapter: 1, seconds: 100 })
    await follower.played()
    await follower.onPlace(row(3, 780))
    expect(place).toEqual({ chapter: 3, seconds: 780 })
  })

  test.each<[string, () => AudioBookTime]>([
    ['while it plays', () => ((sounding = true), row(3, 760))],
    ['by its own events', () => row(3, 760, HERE)],
    ['by another book', () => row(3, 760, 'phone', 'pepper')],
    ['where it has something of its own to say: the card asks', () => ((waits = true), row(3, 760))],
    ['where two people listen on one account', () => ((on = false), row(3, 760))],
  ])('is not moved %s', async (_what, told) => {
    await follower.onPlace(told())
    expect(place).toEqual({ chapter: 1, seconds: 100 })
    expect(log).toEqual([])
  })

  test.each<[string, string, () => void]>([
    ['pressed play', 'salt', () => void (sounding = true)],
    ['opened another book', 'salt', () => void (slug = 'pepper')],
    ['opened the book only then', 'pepper', () => void (slug = 'salt')],
  ])('is not moved where the listener meanwhile %s', async (_what, open, does) => {
    slug = open
    meanwhile = does
    await follower.onPlace(row(3, 760))
    expect(log).toEqual([])
  })

  test('PLAY-06: opened at another browser’s place, it stays five seconds before it', async () => {
    await follower.onPlace(row(1, 105))
    expect([place, log]).toEqual([{ chapter: 1, seconds: 100 }, []])
  })

  test('PLAY-06: a followed place resumes five seconds before it, unless the listener has moved', async () => {
    expect(follower.resumesFollowed()).toBeUndefined()
    await follower.onPlace(row(3, 760))
    expect(follower.resumesFollowed()).toEqual({ chapter: 3, seconds: 755 })
    // The audio element rounds.
    place = { chapter: 3, seconds: 760.5 }
    expect(follower.resumesFollowed()).toEqual({ chapter: 3, seconds: 755 })
    slug = 'pepper'
    expect(follower.resumesFollowed()).toBeUndefined()
    slug = 'salt'
    follower.moved()
    expect(follower.resumesFollowed()).toBeUndefined()
  })

  test('a move of a few seconds shows no notice', async () => {
    await follower.onPlace(row(1, 106))
    expect(log).toEqual(['stands'])
  })
})

describe('play', () => {
  const play = () => ((sounding = true), follower.played())

  test('starts at once, and moves to another place that arrives in time, with notice and undo', async () => {
    answer = { row: row(3, 760), afterMs: 300 }
    await play()
    expect(log).toEqual(['question', 'knowingly', 'goes', 'says'])
    expect(place).toEqual({ chapter: 3, seconds: 760 })
    undo?.()
    expect(place).toEqual({ chapter: 1, seconds: 100 })
  })

  test.each<[string, () => void, string[]]>([
    ['paused', () => void (sounding = false), ['stands', 'says']],
    ['opened another book', () => void (slug = 'pepper'), []],
  ])('who %s meanwhile is moved like anybody else', async (_what, does, follows) => {
    answer = { row: row(3, 760), afterMs: 300 }
    meanwhile = does
    await play()
    expect(log).toEqual(['question', ...follows])
  })

  test('an answer after 0.8 s is in time', async () => {
    answer = { row: row(3, 760), afterMs: 800 }
    await play()
    expect(log).toEqual(['question', 'knowingly', 'goes', 'says'])
  })

  test('a later answer does not move the player: the card asks', async () => {
    answer = { row: row(3, 760), afterMs: 801 }
    await play()
    expect(log).toEqual(['question', 'asks'])
    expect(place).toEqual({ chapter: 1, seconds: 100 })
  })

  test('ignores the same place, and this device’s own', async () => {
    answer = { row: row(1, 95), afterMs: 100 }
    await play()
    answer = { row: row(4, 95, HERE), afterMs: 100 }
    nowMs += 60_000
    await play()
    expect(log).toEqual(['question', 'question'])
  })

  test('makes no request within 30 s of server contact, or offline', async () => {
    follower.contacted()
    nowMs += 30_000
    await play()
    expect(log).toEqual([])
    on = false
    nowMs += 60_000
    await play()
    expect(log).toEqual([])
  })
})
