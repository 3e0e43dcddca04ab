import { expect, test } from 'vitest'
import type { BusinessTime } from '../../clock.ts'
import type { SubscriptionRow } from './queries.ts'
import { startOfWaiting } from './waiting-gifts.ts'

const NOW = new Date('2026-04-01T10:00:00Z') as BusinessTime
const JUNE = new Date('2026-06-01T10:00:00Z')
const MAY = new Date('2026-05-01T10:00:00Z')
const until = (validUntil: Date, more: Partial<SubscriptionRow> = {}): SubscriptionRow =>
  ({
    ...{ status: 'active', providerId: null, canceledAt: null, endedAt: null, validUntil },
    ...more,
  }) as SubscriptionRow

test('a given membership waits for the last of those that run', () => {
  expect(startOfWaiting([], NOW)).toBeNull()
  expect(startOfWaiting([until(MAY)], NOW)).toEqual(MAY)
  expect(startOfWaiting([until(MAY), until(JUNE)], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE), until(MAY)], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE, { endedAt: MAY })], NOW)).toEqual(MAY)
})

test('its start is unknown while one renews, and one that has ended does not count', () => {
  const renewing = until(MAY, { providerId: 'sub_1' })
  expect(startOfWaiting([until(JUNE), renewing], NOW)).toBeNull()
  expect(startOfWaiting([until(JUNE), { ...renewing, canceledAt: NOW }], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE, { status: 'canceled' })], NOW)).toBeNull()
  expect(startOfWaiting([until(NOW)], NOW)).toBeNull()
})
