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

export interface GiftDraft {
  readonly firstName: string
  readonly email: string
  readonly message: string
  /** As typed: DD/MM/YYYY. */
  readonly day: string
}
export type GiftField = keyof GiftDraft

interface GiftDraftState extends GiftDraft {
  /** The result of the address check (GIFT-05). */
  readonly check: GiftCheck
}

const note = tabNote('giftWish')
/** The payment's idempotency key: one per gift, however often it is submitted. */
const PAID_BY = 'giftKey' satisfies TabKey
const NOTHING: GiftDraft = { firstName: '', email: '', message: '', day: '' }

/** In sessionStorage: it survives a reload, a log-in and the checkout, which is a separate document. */
export const useGiftDraft = create<GiftDraftState>()(() => ({ ...NOTHING, check: 'empty' }))

export function recallGiftDraft(): void {
  const kept = note.read()
  if (kept) useGiftDraft.setState(draftIn(kept))
}

/** The stored draft, also in a new document after a payment elsewhere. */
export const giftWish = (): GiftDraft => draftIn(note.read() ?? {})

export function writeGiftDraft(typed: Partial<GiftDraft>): void {
  useGiftDraft.setState(typed)
  note.write(draftIn({ ...useGiftDraft.getState() }))
}

const setGiftCheck = (check: GiftCheck): void => useGiftDraft.setState({ check })

export function forgetGiftDraft(): void {
  note.forget()
  tabStorage.removeItem(PAID_BY)
  useGiftDraft.setState({ ...NOTHING, check: 'empty' })
}

/** Returns the same key until this gift is paid, so that it can't be paid twice. */
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
 * The problems that block the gift, by field. At Christmas it needs a first name and a day (GIFT-07, GIFT-21). A day
 * is today or later in the giver's time zone; a message is always optional (GIFT-22).
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
  if (day.trim() === '') {
    if (occasion === 'xmas') problems.day = 'Choose the day'
  } else if (chosen === undefined) problems.day = 'Write the day as DD/MM/YYYY'
  else if (chosen < today) problems.day = 'Choose today or a later day'
  return problems
}

// The server-rendered markup has no draft, so hydration must start with an empty store.
recallGiftDraft()
registerUserScope('gift', { close: forgetGiftDraft })

export function useGiftProblems(occasion: Occasion, nowMs: number): ReturnType<typeof problemsOfGiftDraft> {
  const zone = useGiverZone()
  const draft = useGiftDraft()
  return problemsOfGiftDraft(draft, occasion, zone ? todayIn(zone, nowMs) : '')
}

/** For event handlers: until React renders again, only the store has the draft of this tab. */
export const currentGiftProblems = (
  occasion: Occasion,
  nowMs: number,
): ReturnType<typeof problemsOfGiftDraft> =>
  problemsOfGiftDraft(useGiftDraft.getState(), occasion, todayIn(browserZone(), nowMs))

/** Checks the recipient's address, and shows if they are a member already (GIFT-05, GIFT-06). */
export function useGiftCheck() {
  const checker = useAddressChecker({
    purchased: hasMembership,
    save: async () => undefined,
    onChecked: setGiftCheck,
  })
  const begin = useEffectEvent(() => {
    // An address from the stored draft must be checked again.
    const kept = useGiftDraft.getState().email
    if (kept !== '') checker().typed(kept)
  })
  useEffect(() => begin(), [])
  return checker
}

const hasMembership = async (email: string): Promise<boolean> =>
  (await call('POST /api/subscriptions/gift-check', { body: { email }, background: true })).purchased

/** The hour at which a gift with a chosen day arrives, in the giver's time zone. */
const MORNING = 8

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const never = () => () => undefined

/** The browser's time zone; undefined in the server-rendered markup, which is the same for every visitor. */
export const useGiverZone = (): string | undefined =>
  useSyncExternalStore(never, browserZone, () => undefined)

/** "Friday 25th December, 8:00 in the morning, London time." */
export function arrivalInWords(day: string, zone: string, nowMs: number): string {
  const isNow = day === todayIn(zone, nowMs) && hourIn(zone, nowMs) >= MORNING
  return isNow
    ? 'That’s today, so it goes as soon as you’ve paid.'
    : `${weekdayAndDay(day)}, ${MORNING}:00 in the morning, ${zoneInWords(zone)}.`
}
