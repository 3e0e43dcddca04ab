import { expect, test } from 'vitest'
import { lastSeen, shapeOf, titleOf } from './devices.ts'

const device = (browser: string, more: { name?: string; current?: boolean } = {}) => ({
  browser,
  name: browser,
  current: false,
  ...more,
})

test('a device is called what its listener calls it, the one in their hand is this one, others are their browser', () => {
  expect(titleOf(device('Safari on iPhone', { current: true }))).toBe('This phone')
  expect(titleOf(device('Safari on iPad', { current: true }))).toBe('This tablet')
  expect(titleOf(device('Firefox on Windows', { current: true }))).toBe('This computer')
  expect(titleOf(device('Chrome on Android', { name: 'Rosa’s phone', current: true }))).toBe('Rosa’s phone')
  expect(titleOf(device('Chrome on Android'))).toBe('Chrome on Android')
  expect(shapeOf(device('Another browser'))).toBe('computer')
})

test('the list says when a device was last seen, as people say it', () => {
  const now = new Date(2026, 10, 20, 9, 0)
  expect(lastSeen(new Date(2026, 10, 20, 0, 5).toISOString(), now)).toBe('Today, 00:05')
  expect(lastSeen(new Date(2026, 10, 19, 22, 14).toISOString(), now)).toBe('Yesterday, 22:14')
  expect(lastSeen(new Date(2026, 10, 18, 23, 59).toISOString(), now)).toBe('18th November 2026')
  // A server's clock that is a little ahead.
  expect(lastSeen(new Date(2026, 10, 20, 9, 2).toISOString(), now)).toBe('Today, 09:02')
})
