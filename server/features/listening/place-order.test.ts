import { describe, expect, test } from 'vitest'
import { compareHeard, type Heard, heardAtMs, type Place, placeEvents, timelineOf } from './place-order.ts'
import { fc } from '#tests/support/random.ts'

const HOUR = 3_600_000
const NOON = Date.parse('2026-03-02T12:00:00Z')
const book = timelineOf(
  { bookId: 1, slug: 'a-quiet-book' },
  [1, 2, 3].map((number) => ({ number, seconds: 600 * number })),
)
const nothing = { standing: null, latestReplaced: null }

let events = 0
const heard = (fields: Partial<Heard>): Heard => ({
  chapter: 1,
  seconds: 0,
  heardAtMs: NOON,
  eventId: `event-${++events}`,
  deviceId: 'phone',
  sequence: events,
  basedOn: undefined,
  ...fields,
})

describe('when something was heard', () => {
  test('PLAY-25: a time in the future becomes the server’s current time', () => {
    expect(heardAtMs({ heardAt: '2096-03-02T12:00:00Z' }, NOON)).toBe(NOON)
  })

  test('trap 2: agoSeconds takes precedence over a clock that is wrong by an hour or by decades', () => {
    for (const heardAt of ['2096-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2026-03-02T11:00:00Z'])
      expect(heardAtMs({ heardAt, agoSeconds: 90 }, NOON)).toBe(NOON - 90_000)
  })

  test('without agoSeconds, the device’s clock counts', () => {
    expect(heardAtMs({ heardAt: '2026-03-02T11:00:00Z' }, NOON)).toBe(NOON - HOUR)
  })

  test('without any time, the arrival counts; invalid values neither fail nor reach the future', () => {
    expect(heardAtMs({}, NOON)).toBe(NOON)
    expect(heardAtMs({ heardAt: '2016-12-31T23:59:60Z' }, NOON)).toBe(NOON)
    expect(heardAtMs({ agoSeconds: 1e300 }, NOON)).toBe(0)
  })
})

describe('which place wins', () => {
  const anEvent = fc.record({
    chapter: fc.integer({ min: 1, max: 3 }),
    seconds: fc.integer({ min: 0, max: 600 }),
    // Few different times, so that ties are common.
    heardAtMs: fc.integer({ min: 0, max: 5 }).map((step) => NOON + step * 40_000),
    deviceId: fc.constantFrom('phone', 'tablet', null),
    sequence: fc.integer({ min: 0, max: 3 }),
    eventId: fc.uuid(),
    basedOn: fc.constantFrom(null, undefined),
  })
  const someEvents = fc.uniqueArray(anEvent, {
    minLength: 1,
    maxLength: 8,
    selector: ({ eventId }) => eventId,
  })
  const shuffled = someEvents.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  const standingAfter = (list: readonly Heard[]) =>
    placeEvents(book, nothing, list as [Heard, ...Heard[]]).standing

  test('PLAY-23: the place heard last wins in any order of arrival', () => {
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(standingAfter(other)).toEqual(standingAfter(one))
        for (const event of one) expect(compareHeard(standingAfter(one), event)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('PLAY-23: events written together or one by one result in the same place and the same history', () => {
    fc.assert(
      fc.property(someEvents, (list) => {
        const together = placeEvents(book, nothing, list as [Heard, ...Heard[]])
        let state: { standing: Place | null; latestReplaced: Place | null } = nothing
        const history: Place[] = []
        for (const event of list) {
          const { standing, foldedLatest, replaced } = placeEvents(book, state, [event])
          if (foldedLatest) history[history.length - 1] = foldedLatest
          history.push(...replaced)
          state = { standing, latestReplaced: history.at(-1) ?? null }
        }
        expect(state.standing).toEqual(together.standing)
        expect(history).toEqual(together.replaced)
      }),
    )
  })

  test('PLAY-24: repeating the current event changes nothing', () => {
    fc.assert(
      fc.property(someEvents, (list) => {
        const { standing } = placeEvents(book, nothing, list as [Heard, ...Heard[]])
        const again = placeEvents(book, { standing, latestReplaced: null }, [{ ...standing, basedOn: null }])
        expect(again).toMatchObject({ standing, foldedLatest: null, replaced: [] })
      }),
    )
  })

  test('a deliberate rewind wins: the furthest place has no precedence', () => {
    const far = heard({ chapter: 3, seconds: 900 })
    const back = heard({ chapter: 1, seconds: 30, heardAtMs: NOON + 5_000 })
    expect(standingAfter([far, back])).toMatchObject({ chapter: 1, seconds: 30 })
  })

  test('of two places heard in the same millisecond on one device, the one with the later sequence wins', () => {
    const first = heard({ seconds: 10, sequence: 7 })
    const second = heard({ seconds: 5, sequence: 8 })
    expect(standingAfter([second, first])).toMatchObject({ sequence: 8 })
  })

  test('orders places of the same millisecond by device, then sequence, then event id', () => {
    const inOrder = [
      heard({ deviceId: null, sequence: 9, eventId: 'z' }),
      heard({ deviceId: 'phone', sequence: 7, eventId: 'y' }),
      heard({ deviceId: 'phone', sequence: 8, eventId: 'a' }),
      heard({ deviceId: 'phone', sequence: 8, eventId: 'b' }),
      heard({ deviceId: 'tablet', sequence: 1, eventId: 'a' }),
      heard({ deviceId: 'phone', sequence: 0, eventId: 'a', heardAtMs: NOON + 1 }),
    ]
    for (const [earlier, a] of inOrder.entries())
      for (const [later, b] of inOrder.entries())
        expect(Math.sign(compareHeard(a, b)), `${earlier} ${later}`).toBe(Math.sign(earlier - later))
  })
})

describe('two places', () => {
  const onTablet = heard({ deviceId: 'tablet', chapter: 2, seconds: 60, heardAtMs: NOON - HOUR })
  const before = { standing: onTablet, latestReplaced: null }
  const settleOne = (event: Heard) => placeEvents(book, before, [event])

  test('PLAY-27: a device that did not know the other place is told of it, and the history has it', () => {
    const settled = settleOne(heard({ chapter: 3, basedOn: 'older' }))
    expect(settled.standing.chapter).toBe(3)
    expect(settled.outcomes[0]!.otherPlace).toEqual(onTablet)
    expect(settled.replaced).toEqual([onTablet])
  })

  test('PLAY-27: an event that was heard earlier loses, is offered and is in the history', () => {
    const late = heard({ chapter: 3, basedOn: null, heardAtMs: NOON - 2 * HOUR })
    const settled = settleOne(late)
    expect(settled.standing).toBe(onTablet)
    expect(settled.outcomes[0]!.otherPlace).toMatchObject({ chapter: 3, eventId: late.eventId })
    expect(settled.replaced).toMatchObject([{ eventId: late.eventId }])
  })

  test('the listener is not asked if the device knew the place, if it is the device’s own, or within two minutes', () => {
    const quiet = [
      heard({ chapter: 3, basedOn: onTablet.eventId }),
      heard({ chapter: 3, basedOn: null, deviceId: 'tablet' }),
      heard({ chapter: 2, seconds: 180, basedOn: null }),
      // The end of a chapter and the beginning of the next are close to each other.
      heard({ chapter: 1, seconds: 590, basedOn: null }),
    ]
    for (const event of quiet) expect(settleOne(event).outcomes[0]!.otherPlace).toBeNull()
    expect(
      settleOne(heard({ chapter: 2, seconds: 181, basedOn: null })).outcomes[0]!.otherPlace,
    ).not.toBeNull()
  })

  test('a device that knew an imported place, which has no event, does not ask about it', () => {
    const imported = { standing: { ...onTablet, eventId: '', deviceId: null }, latestReplaced: null }
    expect(
      placeEvents(book, imported, [heard({ chapter: 3, basedOn: null })]).outcomes[0]!.otherPlace,
    ).toBeNull()
  })
})

describe('the history', () => {
  /** Plays from a place on and saves the position every five seconds. */
  const playing = (from: Partial<Heard>, seconds: number) =>
    Array.from({ length: seconds / 5 }, (_, step) =>
      heard({
        ...from,
        seconds: (from.seconds ?? 0) + step * 5,
        heardAtMs: (from.heardAtMs ?? NOON) + step * 5_000,
      }),
    ) as [Heard, ...Heard[]]

  test('continuous listening needs one line per ten minutes, which moves on with it', () => {
    const settled = placeEvents(book, nothing, playing({ chapter: 3 }, 500))
    expect(settled.replaced).toHaveLength(1)
    expect(settled.replaced[0]).toMatchObject({ seconds: 490 })
    expect(placeEvents(book, nothing, playing({ chapter: 3 }, 1800)).replaced).toHaveLength(3)
  })

  test('a jump leaves the exact place before it', () => {
    const before = playing({ chapter: 1 }, 300)
    const jump = heard({ chapter: 3, seconds: 700, heardAtMs: NOON + 301_000 })
    const after = playing({ chapter: 3, seconds: 705, heardAtMs: NOON + 302_000 }, 60)
    const { replaced } = placeEvents(book, nothing, [...before, jump, ...after] as [Heard, ...Heard[]])
    expect(replaced.map(({ chapter, seconds }) => [chapter, seconds])).toEqual([
      [1, 295],
      [3, 755],
    ])
  })

  test('a skip of thirty seconds is not a jump, also at double speed or at the same moment; one second more is', () => {
    const lines = (seconds: number, elapsedSeconds: number) => {
      const [from, to, next] = [
        heard({ seconds: 100 }),
        heard({ seconds, heardAtMs: NOON + elapsedSeconds * 1000 }),
        heard({ seconds: 300, heardAtMs: NOON + HOUR }),
      ]
      return placeEvents(book, { standing: from, latestReplaced: null }, [to, next]).replaced.length
    }
    expect([lines(130, 0), lines(131, 0)]).toEqual([1, 2])
    expect([lines(150, 10), lines(151, 10)]).toEqual([1, 2])
    expect([lines(70, 10), lines(69, 10)]).toEqual([1, 2])
  })

  test('another device starts its own line, even at the same place', () => {
    const phone = playing({}, 60)
    const tablet = playing({ deviceId: 'tablet', seconds: 60, heardAtMs: NOON + 60_000 }, 60)
    const { replaced } = placeEvents(book, nothing, [...phone, ...tablet])
    expect(replaced.map(({ deviceId }) => deviceId)).toEqual(['phone', 'tablet'])
  })

  test('updates a line that is already stored', () => {
    const [first, second, third] = playing({}, 15) as Heard[]
    const settled = placeEvents(book, { standing: second!, latestReplaced: first! }, [third!])
    expect(settled).toMatchObject({ foldedLatest: { eventId: second!.eventId }, replaced: [] })
  })
})
