import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { NAME_LENGTH } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { dayIn, hourIn, todayIn, zoneInWords } from '#format/calendar-day.ts'
import { weekdayAndDay } from '#format/date.ts'
import { call } from '#net/call.ts'
import { registerUserScope, type TabKey, tabNote } from '#session/user-scope.ts'
import { tabStorage } from '#storage/page-storage.ts'
import { type GiftCheck, isAddress, useAddressChecker } from './address-check.ts'
import type { Occasion } from './occasions.ts'

/** Text that somebody who gives a membership has typed so far. */
export interface GiftDraft {
  readonly firstName: string
  readonly email: string
  readonly message: string
  /** As it is typed: DD/MM/YYYY. */
  readonly day: string
}
export type GiftField = keyof GiftDraft

interface GiftDraftState extends GiftDraft {
  /** The state of the check of the address (GIFT-05). */
  readonly check: GiftCheck
}

const note = tabNote('giftWish')
/** Of the payment: while the gift is being put together it is one, however often it is asked for. */
const PAID_BY = 'giftKey' satisfies TabKey
const NOTHING: GiftDraft = { firstName: '', email: '', message: '', day: '' }

/** Kept in the tab: over a reload, a log-in and the way to the checkout, which is a document of its own. */
export const useGiftDraft = create<GiftDraftState>()(() => ({ ...NOTHING, check: 'empty' }))

/** The part that this tab keeps. */
export function recallGiftDraft(): void {
  const kept = note.read()
  if (kept) useGiftDraft.setState(draftIn(kept))
}

export function writeGiftDraft(typed: Partial<GiftDraft>): void {
  useGiftDraft.setState(typed)
  note.write(draftIn({ ...useGiftDraft.getState() }))
}

export const setGiftCheck = (check: GiftCheck): void => useGiftDraft.setState({ check })

export function forgetGiftDraft(): void {
  note.forget()
  tabStorage.removeItem(PAID_BY)
  useGiftDraft.setState({ ...NOTHING, check: 'empty' })
}

/** The same for as long as this gift is not paid: nobody pays one gift twice. */
export function giftKey(): string {
  const key = tabStorage.getItem(PAID_BY) ?? crypto.randomUUID()
  tabStorage.setItem(PAID_BY, key)
  return key
}

function draftIn(kept: Readonly<Record<string, unknown>>): GiftDraft {
  const text = (name: GiftField) => (typeof kept[name] === 'string' ? kept[name] : '')
  return { firstName: text('firstName'), email: text('email'), message: text('message'), day: text('day') }
}

/** In the order of the form. */
export const GIFT_FIELDS = ['firstName', 'email', 'day'] as const

/**
 * The problems that keep it from being given, by field. At Christmas it needs a first name and a day, today or later
 * where the giver is (GIFT-07, GIFT-21); a message is never asked for (GIFT-22).
 */
export function problemsOfGiftDraft(
  { firstName, email, day }: GiftDraft,
  occasion: Occasion,
  today: string,
): Partial<Record<(typeof GIFT_FIELDS)[number], string>> {
  const name = firstName.trim()
  const problems: Partial<Record<(typeof GIFT_FIELDS)[number], string>> = {}
  if (occasion === 'xmas' && name === '') problems.firstName = 'Fill in their first name'
  if (name.length > NAME_LENGTH) problems.firstName = `Keep it to ${NAME_LENGTH} characters`
  else if (/[<>@]|:\/\/|www\./.test(name)) problems.firstName = 'A name can’t hold a web or email address'
  if (!isAddress(email)) problems.email = email.trim() === '' ? 'Fill in their email' : MESSAGES.invalidEmail
  const chosen = dayIn(day)
  if (occasion === 'xmas') {
    if (day.trim() === '') problems.day = 'Choose the day'
    else if (chosen === undefined) problems.day = 'Write the day as DD/MM/YYYY'
    else if (chosen < today) problems.day = 'Choose today or a later day'
  }
  return problems
}

// The server's markup knows none: the first drawing is of what the store was made with.
recallGiftDraft()
registerUserScope('gift', { close: forgetGiftDraft })

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

/** Follows the address of a wish: whoever has a membership already is said to (GIFT-05, GIFT-06). */
export function useGiftCheck() {
  const checker = useAddressChecker({
    purchased: hasMembership,
    save: async () => undefined,
    onChecked: setGiftCheck,
  })
  const begin = useEffectEvent(() => {
    // Kept from before: whether it still holds is asked again.
    const kept = useGiftDraft.getState().email
    if (kept !== '') checker().typed(kept)
  })
  useEffect(() => begin(), [])
  return checker
}

const hasMembership = async (email: string): Promise<boolean> =>
  (await call('POST /api/subscriptions/gift-check', { body: { email }, background: true })).purchased

/** When a gift of a chosen day arrives, where its giver is. */
const MORNING = 8

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const never = () => () => undefined

/** The giver's zone, as the browser tells it; undefined in the server's markup, which is one for everybody. */
export const useGiverZone = (): string | undefined =>
  useSyncExternalStore(never, browserZone, () => undefined)

/** "Friday 25th December, 8:00 in the morning, London time." */
export function arrivalInWords(day: string, zone: string, nowMs: number): string {
  const isNow = day === todayIn(zone, nowMs) && hourIn(zone, nowMs) >= MORNING
  return isNow
    ? 'That’s today, so it goes as soon as you’ve paid.'
    : `${weekdayAndDay(day)}, ${MORNING}:00 in the morning, ${zoneInWords(zone)}.`
}
