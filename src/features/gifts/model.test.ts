import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  addressChecker,
  forgetGift,
  type GiftCheck,
  giftsReady,
  isAddress,
  setCheck,
  useGifts,
} from './address-check.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function stage({ owned = false, kept = true }: { owned?: boolean; kept?: boolean } = {}) {
  const told: GiftCheck[] = []
  const purchased = vi.fn(async () => owned)
  const save = vi.fn(async () => {
    if (!kept) throw new Error('nobody answered')
  })
  return {
    told,
    purchased,
    save,
    checker: addressChecker({ purchased, save, onChecked: (next) => told.push(next) }),
  }
}

test('GIFT-05: looks up a well-formed address after 400 ms; the result is valid or duplicate', async () => {
  const free = stage()
  free.checker.typed('mina@harbour.exampl')
  await vi.advanceTimersByTimeAsync(399)
  expect(free.purchased).not.toHaveBeenCalled()
  free.checker.typed('mina@harbour.example')
  await vi.advanceTimersByTimeAsync(399)
  expect(free.purchased).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(free.purchased).toHaveBeenCalledExactlyOnceWith('mina@harbour.example')
  expect(free.save).toHaveBeenCalledExactlyOnceWith('mina@harbour.example')
  expect(free.told.at(-1)).toBe('valid')

  const owner = stage({ owned: true })
  owner.checker.typed('nell@murmur.example')
  await vi.advanceTimersByTimeAsync(400)
  expect(owner.told.at(-1)).toBe('duplicate')
  expect(owner.save).not.toHaveBeenCalled()
})

test('a malformed address is never looked up, and is reported on blur', async () => {
  const { checker, told, purchased } = stage()
  checker.typed('mina@harbour')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(purchased).not.toHaveBeenCalled()
  checker.left('mina@harbour', 'typing')
  expect(told.at(-1)).toBe('invalid')
})

test('ignores the response for an address that has changed meanwhile', async () => {
  const { checker, told, save } = stage()
  checker.typed('mina@harbour.example')
  vi.advanceTimersByTime(400)
  checker.typed('')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.at(-1)).toBe('empty')
  expect(save).not.toHaveBeenCalled()
})

test('a gift that couldn’t be saved isn’t valid, shows no message, and is saved again on blur', async () => {
  const { checker, told, save } = stage({ kept: false })
  checker.typed('mina@harbour.example')
  await vi.advanceTimersByTimeAsync(400)
  expect(told.at(-1)).toBe('unsaved')
  checker.left('mina@harbour.example', 'unsaved')
  await vi.advanceTimersByTimeAsync(0)
  expect(save).toHaveBeenCalledTimes(2)
})

const line = (uuid: string, gift: boolean, giftEmail: string | null, available = true) => ({
  uuid,
  gift,
  giftEmail,
  available,
})

test('a bag can be paid when each gift that can be bought has a valid address', () => {
  expect(giftsReady([line('a', false, null)], {})).toBe(true)
  expect(giftsReady([line('a', true, null)], {})).toBe(false)
  expect(giftsReady([line('a', true, null, false)], {})).toBe(true)
  expect(giftsReady([line('a', true, 'mina@harbour.example')], {})).toBe(true)
  for (const check of ['empty', 'typing', 'invalid', 'checking', 'duplicate', 'unsaved'] as const)
    expect(giftsReady([line('a', true, 'mina@harbour.example')], { a: check })).toBe(false)
  expect(giftsReady([line('a', true, null)], { a: 'valid' })).toBe(true)
  expect(giftsReady([line('a', false, null)], { a: 'typing' })).toBe(false)
})

test('removing one gift keeps the state of the others', () => {
  setCheck('a', 'valid')
  setCheck('b', 'duplicate')
  forgetGift('a')
  expect(useGifts.getState().checks).toEqual({ b: 'duplicate' })
})

test.each([
  ['mina@harbour.example', true],
  [' mina@harbour.example ', true],
  ['mina@harbour', false],
  ['mina harbour@x.example', false],
  ['@harbour.example', false],
  ['', false],
])('"%s" is an address: %s', (email, is) => expect(isAddress(email)).toBe(is))
