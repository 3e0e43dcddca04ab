import { todayIn } from '#format/calendar-day.ts'
import { browserZone, useGiverZone } from './giver-zone.ts'
import type { Occasion } from './occasions.ts'
import { problemsOfGiftDraft, useGiftDraft } from './draft.ts'

/** The problems that keep the gift from being given now, by field. */
export function useGiftProblems(occasion: Occasion, nowMs: number): ReturnType<typeof problemsOfGiftDraft> {
  const zone = useGiverZone()
  const draft = useGiftDraft()
  return problemsOfGiftDraft(draft, occasion, zone ? todayIn(zone, nowMs) : '')
}

/** The same at the moment of a press: until React has drawn the page again, what this tab kept is in the store alone. */
export const currentGiftProblems = (
  occasion: Occasion,
  nowMs: number,
): ReturnType<typeof problemsOfGiftDraft> =>
  problemsOfGiftDraft(useGiftDraft.getState(), occasion, todayIn(browserZone(), nowMs))
