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
