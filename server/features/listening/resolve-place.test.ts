import { expect, test } from 'vitest'
import { judge, type EventWithState } from './resolve-place.ts'
import type { Heard } from './place-order.ts'
import { timelineOf } from './timeline.ts'

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

test('one refused event leaves the others of its batch alone', () => {
  const { decision, replies } = judge(
    [event({ seconds: 5000 }), event({ eventId: 'second', seconds: 90 })],
    newId,
  )
  expect(replies.map(({ says }) => says.kind)).toEqual(['refused', 'kept'])
  expect(decision).toMatchObject({ id: 'new row', eventIds: ['second'], standing: { seconds: 90 } })
})

test('an event twice in a batch is written once, and both are told the same place', () => {
  const { decision, replies } = judge([event({ seconds: 90 }), event({ seconds: 90 })], newId)
  expect(decision?.eventIds).toEqual(['first'])
  expect(replies.map(({ says }) => says)).toMatchObject([
    { kind: 'kept', kept: { isNewBook: true, isNewChapter: true, bookTime: { seconds: 90 } } },
    { kind: 'kept', kept: { isNewBook: false, isNewChapter: false, bookTime: { seconds: 90 } } },
  ])
})

test('what an earlier call kept decides nothing more; its answer waits for the history', () => {
  const again = event({ seconds: 90 }, { knownSinceMs: NOON, standing: stored, chapterTime: stored })
  const { decision, moved, replies } = judge([again], newId)
  expect([decision, moved]).toEqual([null, null])
  expect(replies[0]?.says).toMatchObject({ kind: 'repeated', kept: { bookTime: { seconds: 500 } } })
})

test('an event known by its id, in a book that has no place of it, is refused', () => {
  expect(judge([event({}, { knownSinceMs: NOON })], newId).replies[0]?.says).toMatchObject({
    kind: 'refused',
    refusal: { kind: 'refused' },
  })
})
