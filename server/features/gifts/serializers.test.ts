import { expect, test } from 'vitest'
import type { GivenShown, GivenTitleShown } from './given-gifts.ts'
import { givenSubscriptionView, givenTitleView, membershipGiftView } from './serializers.ts'

const GIVEN = new Date('2026-03-01T10:00:00Z')
const OPENED = new Date('2026-03-04T10:00:00Z')
const view = (given: Partial<GivenTitleShown> = {}, gift: object = {}) =>
  givenTitleView({
    ...{ title: 'Renamed', soldAs: 'The Salt Ledger', format: 'audio_book', slug: 'the-salt-ledger' },
    ...{ state: 'delivered', claimer: null, takeBackUntil: null, priceMinor: 1299, orderId: 'order' },
    ...given,
    gift: {
      id: 'g',
      email: 'ann@post.example',
      message: null,
      givenAt: GIVEN,
      deliverAt: null,
      sentAt: null,
      claimedAt: null,
      ...gift,
    },
  } as unknown as GivenTitleShown)

test('a given book is shown under the title that it had when it was bought, with its price', () => {
  expect(view()).toMatchObject({
    title: 'The Salt Ledger',
    format: 'audiobook',
    amount: 12.99,
    takeBack: null,
  })
  expect(view({ soldAs: null, format: 'e_book' } as never)).toMatchObject({
    title: 'Renamed',
    format: 'e-book',
  })
  expect(view({ priceMinor: null, takeBackUntil: OPENED })).toMatchObject({
    ...{ amount: 0, takeBack: { until: OPENED.toISOString(), amount: 0 } },
  })
})

test('a given book was sent when it was given, unless its email went later', () => {
  expect(view().sentAt).toBe(GIVEN.toISOString())
  expect(view({}, { sentAt: OPENED }).sentAt).toBe(OPENED.toISOString())
})

test('who opened a given book is named once it is opened, by its address if the account was deleted', () => {
  const claimer = { email: 'ann@home.example', firstName: 'Ann', lastName: '' } as never
  expect(view({ claimer })).toMatchObject({ claimedAt: null, giftUser: null })
  expect(view({ claimer }, { claimedAt: OPENED })).toMatchObject({
    ...{ claimedAt: OPENED.toISOString(), giftUser: { email: 'ann@home.example', fullName: 'Ann' } },
  })
  expect(view({}, { claimedAt: OPENED }).giftUser).toEqual({ email: 'ann@post.example', fullName: '' })
})

test('a given membership has ended for its giver if it was refunded, has lapsed or was cancelled', () => {
  const gift = { id: 'g', plan: 4, email: 'ann@post.example', givenAt: GIVEN, claimedAt: null, begunAt: null }
  const statusOf = (state: string, status: string | null) =>
    givenSubscriptionView({ state, status, claimer: null, gift } as unknown as GivenShown).status
  expect(['refunded', 'lapsed'].map((state) => statusOf(state, null))).toEqual(['canceled', 'canceled'])
  expect(statusOf('claimed', 'canceled')).toBe('canceled')
  expect([statusOf('delivered', null), statusOf('claimed', 'active')]).toEqual(['incomplete', 'active'])
})

test('only the account that opened a membership sees when it starts, and may thank a giver who can be reached', () => {
  const gift = { id: 'g', plan: 4, email: 'ann@post.example', givenAt: GIVEN, deliverAt: GIVEN }
  const opened = {
    ...gift,
    claimedAt: OPENED,
    claimedBy: 'ann',
    begunAt: null,
    thankedAt: null,
    giverEmail: 'una@post.example',
  }
  const seen = (more: object, userId: string | null) =>
    membershipGiftView({ gift: { ...opened, ...more }, startsAt: OPENED } as never, userId)
  expect(seen({}, 'ann')).toMatchObject({
    state: 'waiting',
    startsAt: OPENED.toISOString(),
    thanks: 'possible',
  })
  expect(seen({ thankedAt: OPENED }, 'ann').thanks).toBe('sent')
  expect(seen({ begunAt: OPENED }, 'ben')).toMatchObject({ state: 'begun', startsAt: null, thanks: null })
  for (const [more, userId] of [
    [{ giverEmail: null }, 'ann'],
    [{}, null],
    [{ claimedBy: null, claimedAt: null }, null],
  ] as const)
    expect(seen(more, userId).thanks, JSON.stringify([more, userId])).toBeNull()
})

test('who opened a given membership is named, by the giver’s address for them if the account was deleted', () => {
  const gift = {
    ...{ id: 'g', plan: 4, email: 'ann@post.example', givenAt: GIVEN },
    ...{ claimedAt: OPENED, begunAt: OPENED },
  }
  const seen = (claimer: object | null) =>
    givenSubscriptionView({ state: 'claimed', status: 'active', claimer, gift } as unknown as GivenShown)
  expect(seen({ email: 'ann@home.example', firstName: 'Ann', lastName: 'Reed' }).giftUser).toEqual({
    email: 'ann@home.example',
    fullName: 'Ann Reed',
  })
  expect(seen(null).giftUser).toEqual({ email: 'ann@post.example', fullName: '' })
})
