import { beforeEach, expect, test } from 'vitest'
import { PLANS } from '#contract/plans.ts'
import { giftPromise, giftTitle, givenPlan, offered } from './occasions.ts'
import {
  forgetGiftDraft,
  problemsOfGiftDraft,
  recallGiftDraft,
  useGiftDraft,
  writeGiftDraft,
  type GiftDraft,
} from './draft.ts'

beforeEach(forgetGiftDraft)

const wish = (more: Partial<GiftDraft> = {}): GiftDraft => ({
  firstName: 'Joost',
  email: 'joost@harbour.example',
  message: '',
  day: '25/12/2026',
  ...more,
})
const TODAY = '2026-12-09'

test('PLAN-01 PLAN-02 PLAN-03: seven plans with the fourth as default; at Christmas two', () => {
  expect(offered('gift')).toEqual([6, 7, 4, 5, 1, 2, 3])
  expect(offered('xmas')).toEqual([1, 2])
  for (const missing of [undefined, '', '0', '8', '5.5', 'five']) {
    expect(givenPlan(missing, 'gift')).toBe(5)
    expect(givenPlan(missing, 'xmas')).toBe(1)
  }
  expect(givenPlan('3', 'gift')).toBe(3)
  expect(givenPlan('3', 'xmas')).toBe(1)
  expect(givenPlan('2', 'xmas')).toBe(2)
})

test('a gift is named after its duration, and lists its plan’s benefits', () => {
  expect(giftTitle(5).join(' ')).toBe('A year of Reader')
  expect(giftTitle(3).join(' ')).toBe('Six months of Avid Reader')
  expect(giftPromise(5)).toBe('A free audiobook every month for a year, chosen by you.')
  expect(giftPromise(1)).toBe('Two free audiobooks to choose in the month, member prices, every recording.')
  expect(giftPromise(7)).toBe('Member prices and every recording for a year.')
  expect(new Set(Object.values(PLANS).map(({ id }) => giftTitle(id).join(' '))).size).toBe(7)
})

test('GIFT-07: at Christmas a first name of one character is enough, and an empty one isn’t', () => {
  expect(problemsOfGiftDraft(wish({ firstName: 'J' }), 'xmas', TODAY)).toEqual({})
  expect(Object.keys(problemsOfGiftDraft(wish({ firstName: ' ' }), 'xmas', TODAY))).toEqual(['firstName'])
  expect(problemsOfGiftDraft(wish({ firstName: '' }), 'gift', TODAY)).toEqual({})
})

test('GIFT-21: at Christmas the day must be today or later in the giver’s time zone', () => {
  const isTaken = (day: string) => problemsOfGiftDraft(wish({ day }), 'xmas', TODAY).day === undefined
  expect(isTaken('09/12/2026')).toBe(true)
  expect(isTaken('01/01/2027')).toBe(true)
  expect(isTaken('08/12/2026')).toBe(false)
  expect(isTaken('31/11/2026')).toBe(false)
  expect(isTaken('')).toBe(false)
  expect(problemsOfGiftDraft(wish({ day: '' }), 'gift', TODAY)).toEqual({})
  expect(problemsOfGiftDraft(wish({ day: '01/12/2020' }), 'gift', TODAY)).toEqual({
    day: 'Choose today or a later day',
  })
})

test('GIFT-22: the message may be empty, with or without a day', () => {
  for (const occasion of ['gift', 'xmas'] as const)
    expect(problemsOfGiftDraft(wish({ message: '' }), occasion, TODAY)).toEqual({})
})

test('a malformed address is reported as such, and an empty one is required', () => {
  expect(problemsOfGiftDraft(wish({ email: 'joost@harbour' }), 'gift', TODAY).email).toBe('Invalid email')
  expect(problemsOfGiftDraft(wish({ email: ' ' }), 'gift', TODAY).email).toBe('Fill in their email')
})

test('the draft survives a reload, and is removed after payment', () => {
  writeGiftDraft({ firstName: 'Joost', message: 'For the\nlong drives' })
  useGiftDraft.setState({ firstName: '', message: '' })
  recallGiftDraft()
  expect(useGiftDraft.getState()).toMatchObject({ firstName: 'Joost', message: 'For the\nlong drives' })
  forgetGiftDraft()
  recallGiftDraft()
  expect(useGiftDraft.getState()).toMatchObject({ firstName: '', message: '', check: 'empty' })
})
