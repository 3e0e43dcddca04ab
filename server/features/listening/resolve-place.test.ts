import { expect, test } from 'vitest'
import { judge, type EventWithState } from './resolve-place.ts'
import { type Heard, timelineOf } from './place-order.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const timeline = timelineOf({ bookId: 1, slug: 'a-quiet-book' }, [{ number: 1, seconds: 600 }])

const event = (heard: Partial<Heard>, state: Partial<EventWithState['state']> = {}): EventWithState => ({
  userId: 'lena',
  timeline,
  heard: {
    chapter: 1,
    seconds: 0,
    heardAtMs: NOON,
    eventId: 'first',
    deviceId: 'phone',
    sequence: 0,
    basedOn: undefined,
    ...heard,
  },
  state: {
    owned: true,
    knownSinceMs: null,
    standing: null,
    chapterTime: null,
    latestReplaced: null,
    ...state,
  },
})

const stored = { ...event({ seconds: 500 }).heard, id: 'row' }
const newId = () => 'new row'

test('a refused event does not affect the other events of its batch', () => {
  const { decision, replies } = judge(
    [event({ seconds: 5000 }), event({ eventId: 'second', seconds: 90 })],
    newId,
  )
  expect(replies.map(({ says }) => says.kind)).toEqual(['refused', 'kept'])
  expect(decision).toMatchObject({ id: 'new row', eventIds: ['second'], standing: { seconds: 90 } })
})

test('writes a duplicate event of a batch once and returns the same place for both', () => {
  const { decision, replies } = judge([event({ seconds: 90 }), event({ seconds: 90 })], newId)
  expect(decision?.eventIds).toEqual(['first'])
  expect(replies.map(({ says }) => says)).toMatchObject([
    { kind: 'kept', kept: { isNewBook: true, isNewChapter: true, bookTime: { seconds: 90 } } },
    { kind: 'kept', kept: { isNewBook: false, isNewChapter: false, bookTime: { seconds: 90 } } },
  ])
})

test('an event stored by an earlier call decides nothing; its reply depends on the history', () => {
  const again = event({ seconds: 90 }, { knownSinceMs: NOON, standing: stored, chapterTime: stored })
  const { decision, moved, replies } = judge([again], newId)
  expect([decision, moved]).toEqual([null, null])
  expect(replies[0]?.says).toMatchObject({ kind: 'repeated', kept: { bookTime: { seconds: 500 } } })
})

test('refuses an event with a known id for a book that has no place', () => {
  expect(judge([event({}, { knownSinceMs: NOON })], newId).replies[0]?.says).toMatchObject({
    kind: 'refused',
    refusal: { kind: 'refused' },
  })
})

test('a second inside the chapter or up to five behind it is accepted, none before its beginning', () => {
  const saysOf = (seconds: number) => judge([event({ seconds })], newId).replies[0]!.says.kind
  expect([0, 605, -0.1, 605.1].map(saysOf)).toEqual(['kept', 'kept', 'refused', 'refused'])
})

test('refuses an event with a known id for a chapter that has no time', () => {
  const again = event({}, { knownSinceMs: NOON, standing: stored })
  expect(judge([again], newId).replies[0]?.says.kind).toBe('refused')
})

const ELSEWHERE = { ...stored, eventId: 'elsewhere', deviceId: 'tablet', heardAtMs: NOON - 60_000 }
const before = { standing: ELSEWHERE, chapterTime: ELSEWHERE }

test('a later event moves both rows that exist, and the place of another device is offered', () => {
  const { decision, moved, replies } = judge([event({ seconds: 90, basedOn: null }, before)], newId)
  expect(decision).toMatchObject({ id: 'row', chapterTimes: [{ id: 'row', seconds: 90 }], folded: null })
  expect(moved).toMatchObject({ slug: 'a-quiet-book', bookTime: { eventId: 'first' } })
  expect(replies[0]?.says).toMatchObject({ kept: { otherPlace: { eventId: 'elsewhere', seconds: 500 } } })
})

test('an event that was heard earlier than the stored place moves nothing', () => {
  const late = event({ seconds: 90, heardAtMs: NOON - 120_000 }, before)
  const { decision, moved } = judge([late], newId)
  expect(decision).toMatchObject({
    eventIds: ['first'],
    standing: { eventId: 'elsewhere' },
    chapterTimes: [],
  })
  expect(moved).toBeNull()
})

test('of two events of one chapter the one heard later is the chapter’s time, in any order', () => {
  const earlier = event({ eventId: 'earlier', seconds: 80, heardAtMs: NOON - 5_000 })
  const { decision } = judge([event({ seconds: 85 }), earlier], newId)
  expect(decision?.chapterTimes).toMatchObject([{ id: 'new row', eventId: 'first' }])
})

test('only a place that continues the latest line of the history replaces it', () => {
  const line = { ...ELSEWHERE, id: '7', deviceId: 'phone', seconds: 490, heardAtMs: NOON - 65_000 }
  const foldedOf = (latestReplaced: typeof line, deviceId: string) =>
    judge(
      [event({ seconds: 90 }, { ...before, standing: { ...ELSEWHERE, deviceId }, latestReplaced })],
      newId,
    ).decision?.folded
  expect(foldedOf(line, 'phone')).toMatchObject({ id: '7', place: { eventId: 'elsewhere' } })
  expect(foldedOf(line, 'tablet')).toBeNull()
})
