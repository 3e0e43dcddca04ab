import { todayIn } from '#format/calendar-day.ts'
import { useGiverZone } from './giver-zone.ts'
import type { Occasion } from './occasions.ts'
import { problemsOfWish, useGiftWish } from './wish.ts'

/** The problems that keep the gift from being given now, by field. */
export function useWishProblems(occasion: Occasion, nowMs: number): ReturnType<typeof problemsOfWish> {
  const zone = useGiverZone()
  const wish = useGiftWish()
  return problemsOfWish(wish, occasion, zone ? todayIn(zone, nowMs) : '')
}
