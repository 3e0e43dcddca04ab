import { describe, expect, test, vi } from 'vitest'
import { clocksAgree, pageSecondsAgo, secondsAgo } from './clock.ts'

const HOUR = 3_600_000
const heard = (offsetMs: number | null = 0) => ({
  heardAtMs: 10 * HOUR,
  clock: { page: 'a', ms: 1_000 },
  offsetMs,
})
const now = (wallLaterMs: number, pageLaterMs: number, page = 'a') => ({
  wallMs: 10 * HOUR + wallLaterMs,
  pageMs: 1_000 + pageLaterMs,
  page,
})

describe('the age of an event', () => {
  test('comes from the page’s own clock if both clocks agree', () => {
    expect(secondsAgo(heard(), now(30_500, 30_000), null)).toBe(30)
  })

  test.each([
    ['an hour back', -HOUR],
    ['seventy years on', 70 * 365 * 24 * HOUR],
    ['an hour on, as in spring', HOUR],
  ])('trap 2: a wall clock set %s changes nothing', (_how, shift) => {
    const offsetNow = -shift
    expect(secondsAgo(heard(), now(shift + 20_000, 20_000), offsetNow)).toBe(20)
    // Also if the server's clock is unavailable.
    expect(secondsAgo(heard(), now(shift + 20_000, 20_000), null)).toBe(20)
  })

  test('trap 2: a night with a paused page clock is counted if the server’s clock confirms it', () => {
    expect(secondsAgo(heard(), now(8 * HOUR, 5_000), 0)).toBe(8 * 3600)
    expect(secondsAgo(heard(), now(8 * HOUR, 5_000), null)).toBe(5)
  })

  test('an event of an earlier page is dated by a steady wall clock', () => {
    expect(secondsAgo(heard(500), now(HOUR, 3, 'b'), 1_200)).toBe(3600)
  })

  test('trap 2: if the clock was changed meanwhile, or cannot be compared, the age is unknown', () => {
    expect(secondsAgo(heard(0), now(HOUR, 3, 'b'), -HOUR)).toBeUndefined()
    expect(secondsAgo(heard(null), now(HOUR, 3, 'b'), 0)).toBeUndefined()
  })

  test.each([
    ['a minute ahead', 80_000, true, 20],
    ['more than that ahead', 80_001, false, 80.001],
    ['a minute behind', -40_000, true, 20],
  ])('the wall clock %s of the page’s', (_how, wallLater, agree, seconds) => {
    expect(clocksAgree(heard(), now(wallLater, 20_000))).toBe(agree)
    expect(secondsAgo(heard(), now(wallLater, 20_000), 0)).toBe(seconds)
    expect(clocksAgree(heard(), now(wallLater, 20_000, 'b'))).toBe(false)
  })

  test('a wall clock is steady if its distance to the server’s clock changes by at most a minute', () => {
    expect(secondsAgo(heard(0), now(0, 3, 'b'), 60_000)).toBe(0)
    expect(secondsAgo(heard(0), now(5_000, 3, 'b'), 60_001)).toBeUndefined()
    expect(secondsAgo(heard(0), now(5_000, 3, 'b'), null)).toBeUndefined()
    expect(secondsAgo(heard(0), now(-1, 3, 'b'), 0)).toBeUndefined()
  })

  test('is never negative', () => {
    expect(secondsAgo(heard(), now(-500, -500), null)).toBe(0)
  })
})

test('seconds since a moment of the page’s clock are never below 0', () => {
  const at = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  expect([pageSecondsAgo(2_000), pageSecondsAgo(5_000), pageSecondsAgo(6_000)]).toEqual([3, 0, 0])
  at.mockRestore()
})
