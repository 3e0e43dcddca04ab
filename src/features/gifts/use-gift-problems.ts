import { todayIn } from '#format/calendar-day.ts'
import { useGiverZone } from './giver-zone.ts'
import type { Occasion } from './occasions.ts'
import { problemsOfGiftDraft, useGiftDraft } from './draft.ts'

/** The problems that keep the gift from being given now, by field. */
export function useGiftProblems(occasion: Occasion, nowMs: number): ReturnType<typeof problemsOfGiftDraft> {
  const zone = useGiverZone()
  const draft = useGiftDraft()
  return problemsOfGiftDraft(draft, occasion, zone ? todayIn(zone, nowMs) : '')
}
