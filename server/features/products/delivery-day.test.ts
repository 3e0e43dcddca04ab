import { expect, test } from 'vitest'
import { fc } from '#tests/support/random.ts'
import { DateTime, IANAZone } from 'luxon'
import { deliveryOf, refuseDay, zoneOf } from './delivery-day.ts'

const at = (iso: string) => new Date(iso)

test('trap 31: a gift arrives at 08:00 in the giver’s zone, before and after each change of the clocks', () => {
  const now = at('2026-03-01T12:00:00Z')
  for (const [day, zone, instant] of [
    ['2026-03-28', 'Europe/London', '2026-03-28T08:00:00.000Z'],
    ['2026-03-29', 'Europe/London', '2026-03-29T07:00:00.000Z'],
    ['2026-10-24', 'Europe/London', '2026-10-24T07:00:00.000Z'],
    ['2026-10-25', 'Europe/London', '2026-10-25T08:00:00.000Z'],
    ['2026-04-05', 'Pacific/Auckland', '2026-04-04T20:00:00.000Z'],
    ['2026-09-27', 'Pacific/Auckland', '2026-09-26T19:00:00.000Z'],
    ['2026-11-01', 'America/Los_Angeles', '2026-11-01T16:00:00.000Z'],
    ['2026-12-25', 'Asia/Kolkata', '2026-12-25T02:30:00.000Z'],
  ] as const)
    expect(deliveryOf(day, zone, now).toISOString()).toBe(instant)
})

test('GIFT-20: a gift for today after 08:00, or without a day, is sent at once; before 08:00 it waits', () => {
  const later = at('2026-12-25T08:00:01Z')
  expect(deliveryOf('2026-12-25', 'Europe/London', later)).toEqual(later)
  expect(deliveryOf(null, 'Europe/London', later)).toEqual(later)
  expect(deliveryOf('2026-12-25', 'Europe/London', at('2026-12-25T07:59:59Z'))).toEqual(
    at('2026-12-25T08:00:00Z'),
  )
})

test('GIFT-21: the day must be today or later in the giver’s zone, and within a year', () => {
  // It is already the 26th in Auckland, and still the 25th in Los Angeles.
  const now = at('2026-12-25T18:00:00Z')
  expect(() => refuseDay('2026-12-25', 'America/Los_Angeles', now)).not.toThrow()
  expect(() => refuseDay('2026-12-25', 'Pacific/Auckland', now)).toThrow(/today or a later day/)
  expect(() => refuseDay('2026-12-24', 'America/Los_Angeles', now)).toThrow(/today or a later day/)
  expect(() => refuseDay('2026-02-30', 'Europe/London', now)).toThrow(/today or a later day/)
  expect(() => refuseDay('2027-12-25', 'Europe/London', now)).not.toThrow()
  expect(() => refuseDay('2027-12-27', 'Europe/London', now)).toThrow(/within a year/)
})

test('refuses an unknown time zone; without one the shop’s zone applies', () => {
  const shop = { shopZone: 'Europe/Dublin' }
  expect(zoneOf(undefined, shop)).toBe('Europe/Dublin')
  expect(zoneOf('', shop)).toBe('Europe/Dublin')
  expect(zoneOf('Pacific/Chatham', shop)).toBe('Pacific/Chatham')
  expect(() => zoneOf('Mars/Olympus', shop)).toThrow(/isn’t known/)
})

test('for any day, zone and hour a gift is sent on its day in the zone: at 08:00, or at once if that has passed', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => IANAZone.isValidZone(zone))
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.nat(500), fc.nat(86_399), (zone, days, seconds) => {
      const now = DateTime.fromISO('2026-01-01', { zone }).plus({ days: 200, seconds })
      const day = now.plus({ days }).toISODate()!
      const sent = DateTime.fromJSDate(deliveryOf(day, zone, now.toJSDate()), { zone })
      expect(sent.toISODate()).toBe(day)
      expect(days === 0 ? sent >= now : sent.hour === 8).toBe(true)
    }),
  )
})
