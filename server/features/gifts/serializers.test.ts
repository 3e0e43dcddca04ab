import { expect, test } from 'vitest'
import type { GivenTitleShown } from './given-gifts.ts'
import { givenTitleView } from './serializers.ts'

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
