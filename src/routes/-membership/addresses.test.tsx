// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configureNet, settings } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { AT, membershipDetails } from '#tests/support/membership-details.ts'
import { listOf, nellIsIn, openApp } from '#tests/support/app.tsx'

const NOBODY = settings.tokens
beforeEach(() => {
  configureNet({ tokens: NOBODY })
  becomeVisitor()
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

const details = membershipDetails()
const MEMBERSHIP = {
  '/api/get-current-subscription': details.subscription,
  '/api/subscriptions/s1/details': details,
  '/api/subscriptions/s1/invoice': { invoices: [] },
  '/api/subscriptions/given': listOf([
    { plan: 2, giftRecipientFirstName: 'Joost', giftEmail: 'joost@harbour.example' },
  ]),
}
function becomeMember() {
  const currentSubscription = { id: 's1', plan: 4, status: 'active', canceledAt: null, validUntil: AT }
  nellIsIn({ currentSubscription, subscriptions: [] })
}

async function opened(address: string, heading: string | RegExp) {
  cleanup()
  const { path } = await openApp(address, MEMBERSHIP)
  await screen.findByRole('heading', { level: 1, name: heading })
  return path()
}

const DENIED = 'This page needs an account'

test('NAV-34 NAV-36 ROLE-26: visitors can open the gift memberships, for any day and at Christmas', async () => {
  expect(await opened('/gift', 'Give someone a year of evenings')).toBe('/gift')
  expect(await opened('/xmas', 'A Christmas that lasts')).toBe('/xmas')
})

test('NAV-35 ROLE-26: visitors can open the checkouts of a plan and of the trial, and the page that confirms an address', async () => {
  expect(await opened('/payment?plan=4', 'Checkout')).toBe('/payment')
  expect(await opened('/free-trial', 'Free trial')).toBe('/free-trial')
  expect(await opened('/confirm/nothing', /^(?!This page needs)/)).toBe('/confirm/nothing')
})

test('NAV-32 ROLE-21: the membership details ask a visitor to log in, and open for a member', async () => {
  expect(await opened('/subscription-details', DENIED)).toBe('/access-denied')
  becomeMember()
  expect(await opened('/subscription-details', 'Your membership')).toBe('/subscription-details')
})

test('NAV-33 NAV-37 ROLE-24: the confirmation of a membership is shown to its account, and to no visitor', async () => {
  const confirmations = [
    ['/subscription-successful', /^You’re a member/],
    ['/subscription-successful-trial', /^You’re a member/],
    ['/subscription-successful-gift', 'A year of Avid Reader is on its way to Joost.'],
    ['/xmas-successful-gift?recipient=Joost&type=2', 'A year of Avid Reader is wrapped for Joost.'],
  ] as const
  for (const [address] of confirmations) expect(await opened(address, DENIED), address).toBe('/access-denied')
  becomeMember()
  for (const [address, heading] of confirmations)
    expect(await opened(address, heading)).toBe(address.split('?')[0])
})

test('NAV-39: gift links open the screens where gifts are claimed', async () => {
  for (const address of ['/get-subscription', '/get-book'])
    expect(
      await opened(`${address}?email=joost@harbour.example&token=unknown`, 'We can’t find this gift.'),
    ).toBe(address)
})
