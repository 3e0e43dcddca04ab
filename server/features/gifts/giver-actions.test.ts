import { expect, test } from 'vitest'
import type { BusinessTime } from '../../clock.ts'
import {
  blankAsNull,
  giftOfToken,
  giverToken,
  refuseOver,
  refuseTakingBack,
  stateOfGiven,
  storesMail,
  takeBackEnds,
  waysOf,
} from './giver-actions.ts'

const GIVEN = new Date('2026-03-01T10:00:00Z')
const then = new Date('2026-03-02T10:00:00Z')
const gift = (more = {}) => ({
  ...{
    claimedAt: null,
    takenBackAt: null,
    revokedAt: null,
    failedAt: null,
    suspendedAt: null,
    lapsedAt: null,
  },
  ...{ givenAt: GIVEN, deliverAt: null },
  ...more,
})
const at = (iso: string) => new Date(iso) as BusinessTime

test.each([
  ['scheduled', {}, { isSent: false }],
  ['sending', {}, { isSent: true }],
  ['delivered', {}, { isDelivered: true }],
  ['delivered', {}, { delivery: 'sent' }],
  ['sending', {}, { delivery: 'waiting' }],
  ['failed', {}, { delivery: 'failed' }],
  // Recorded before its email was removed from the queue.
  ['failed', { failedAt: then }, { isDelivered: true }],
  ['lapsed', { lapsedAt: then }, { isDelivered: true }],
  ['claimed', { claimedAt: then, failedAt: then }, {}],
  ['refunded', { takenBackAt: then }, {}],
  ['refunded', { revokedAt: then }, {}],
  ['refunded', { suspendedAt: then, claimedAt: then }, {}],
] as const)('the giver is told that a gift is %s: %j, %j', (state, progress, sent) => {
  const told = { isSent: true, delivery: undefined, isDelivered: false, ...sent } as never
  expect(stateOfGiven(gift(progress), told)).toBe(state)
})

test('a gift can be changed until it is opened, and taken back for 14 days', () => {
  const until = takeBackEnds(gift())
  expect(until).toEqual(new Date('2026-03-15T10:00:00Z'))
  const within = at('2026-03-15T09:59:59.999Z')
  for (const state of ['scheduled', 'sending', 'delivered', 'failed'] as const)
    expect(waysOf(state, gift(), within)).toEqual({ isChangeable: true, takeBackUntil: until })
  for (const state of ['claimed', 'refunded', 'lapsed'] as const)
    expect(waysOf(state, gift(), within)).toEqual({ isChangeable: false, takeBackUntil: null })
  expect(waysOf('delivered', gift(), at('2026-03-15T10:00:00Z'))).toEqual({
    ...{ isChangeable: true, takeBackUntil: null },
  })
  expect(() => refuseTakingBack(gift(), within)).not.toThrow()
  expect(() => refuseTakingBack(gift(), at('2026-03-15T10:00:00Z'))).toThrow('too late')
})

test('month: a gift for a day can be taken back for 14 days from that day', () => {
  const later = { ...gift(), deliverAt: at('2026-12-25T08:00:00Z') }
  expect(takeBackEnds(later)).toEqual(at('2027-01-08T08:00:00Z'))
  expect(() => refuseTakingBack(later, at('2027-01-08T07:59:59Z'))).not.toThrow()
  expect(() => refuseTakingBack(later, at('2027-01-08T08:00:00Z'))).toThrow('too late')
})

test.each([
  ['already been opened', { claimedAt: then }],
  ['was taken back', { takenBackAt: then }],
  ['was taken back', { revokedAt: then }],
  ['was taken back', { suspendedAt: then }],
  ['has lapsed', { lapsedAt: then }],
])('a gift that is over is refused with its reason: it %s', (reason, progress) => {
  expect(() => refuseOver(gift(progress))).toThrow(reason)
  expect(() => refuseTakingBack(gift(progress), at('2026-03-02T10:00:00Z'))).toThrow(reason)
})

test('emails of the demo count as delivered, unless they are sent', () => {
  const stores = (demo: boolean, smtpUrl: URL | undefined) => storesMail({ demo, smtpUrl } as never)
  expect(stores(true, undefined)).toBe(true)
  expect(stores(true, new URL('smtp://mail'))).toBe(false)
  expect(stores(false, undefined)).toBe(false)
})

test('a message of blanks counts as no message, and blanks around a message are removed', () => {
  expect([null, '', '  ', ' Enjoy '].map(blankAsNull)).toEqual([null, null, null, 'Enjoy'])
})

test('the giver’s link opens its own gift only, also after the key was replaced', () => {
  const keys = (...appKeys: string[]) =>
    ({ appKeys: appKeys.map((key) => Buffer.from(key.repeat(32))) }) as never
  const id = '0b5e9a3c-7f0d-4a38-9d3b-1d6f2f3c4b5a'
  const token = giverToken(keys('a'), { kind: 'book', id })
  expect(giftOfToken(keys('a'), token)).toEqual({ kind: 'book', id })
  expect(giftOfToken(keys('b', 'a'), token)).toEqual({ kind: 'book', id })
  expect(giftOfToken(keys('b'), token)).toBeUndefined()
  expect(giftOfToken(keys('a'), token.replace(/^b/, 'm'))).toBeUndefined()
  expect(giftOfToken(keys('a'), giverToken(keys('a'), { kind: 'membership', id }))).toEqual({
    ...{ kind: 'membership', id },
  })
  expect(giftOfToken(keys('a'), `${token}x`)).toBeUndefined()
})
