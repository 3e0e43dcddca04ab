// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { connectivity } from '#net/connectivity.ts'
import { configureNet, settings } from '#net/settings.ts'
import { becomeEnded, becomeVisitor, currentSession } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { appAt, heading, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'
import { aTitle } from '#tests/support/card-shop.tsx'
import { membershipDetails } from '#tests/support/membership-details.ts'
import { soon } from '#tests/support/wait-for.ts'

const NOBODY = settings.tokens
const main = () => within(screen.getByRole('main'))
const ways = () =>
  main()
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
const details = membershipDetails({}, { credits: { left: 1, until: '2026-12-03T00:00:00.000Z' } as never })
const books = ['peat', 'skerry', 'goat-years'].map((slug) =>
  aTitle({ slug, title: slug, sample: `/media/${slug}.m4a` }),
)
const ANSWERS = {
  '/api/get-current-subscription': details.subscription,
  '/api/subscriptions/s1/details': details,
  '/api/subscriptions/s1/invoice': { invoices: [] },
  '/api/audio_books/second_editions': listOf(books, 14),
  '/api/subscriptions/gifts': listOf([]),
  '/api/gifts': listOf([{ id: 'g1' }]),
  '/api/gifts/given': listOf([{ id: 'g2', state: 'claimed', givenAt: '' }]),
  '/api/subscriptions/given': listOf([{ id: 'g3', plan: 4, state: 'delivered', givenAt: '' }]),
  '/api/order_carts': listOf([{ amount: 8.8, createdAt: '2026-11-03T10:00:00Z' }]),
  '/api/devices': listOf([{ id: 'd1' }, { id: 'd2' }]),
  '/api/menu_entries': listOf([{ title: 'Support', url: '/info/support', style: null, group: 'Links' }]),
}

beforeEach(() => {
  configureNet({ tokens: NOBODY })
  becomeVisitor()
  shopAnswers(ANSWERS)
})
afterEach(() => {
  cleanup()
  connectivity.note(true)
  useOwnedTitles.setState({ owned: new Set() })
})

test('NAV-60: a member’s page names the plan, its next payment and the free audiobook, and leads to everything of theirs', async () => {
  nellIsIn({ hasCredit: true, currentSubscription: { id: 's1', plan: 4 } as never })
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', 'skerry')]) })
  await appAt('/you')
  await heading('Hello, Nell')
  const band = within(await screen.findByRole('region', { name: 'One free audiobook is waiting' }))
  expect(band.getByText('2nd December')).toBeTruthy()
  expect(band.getAllByRole('listitem').map((item) => within(item).getByRole('heading').textContent)).toEqual([
    'peat',
    'goat-years',
  ])
  expect(band.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Play a sample of peat',
    'Play a sample of goat-years',
  ])
  expect(main().getByText('Reader, monthly')).toBeTruthy()
  expect(main().getByText('£8.00 on 3rd December 2026')).toBeTruthy()
  for (const words of [
    '1 waiting for you',
    '2 given, 1 not opened yet',
    'The last on 3rd November 2026, £8.80',
    'This device and 1 more',
  ])
    expect(await main().findByText(words)).toBeTruthy()
  expect(ways()).toEqual(
    expect.arrayContaining([
      '/subscription-details',
      '/gifts',
      '/orders',
      '/redemption',
      '/settings#devices',
      '/downloads',
      '/library/notes',
      '/settings',
      '/info/support',
    ]),
  )
  const you = screen.getByRole('navigation', { name: 'Sections' }).querySelector('[aria-current]')
  expect(you?.textContent).toBe('You')

  await userEvent.click(main().getByRole('button', { name: 'Log out' }))
  await soon(() => expect(currentSession().status).toBe('visitor'))
})

test('month: free audiobooks that are known late are shown below the rows, which stay where they are', async () => {
  const late = Promise.withResolvers<unknown>()
  shopAnswers({ ...ANSWERS, '/api/subscriptions/s1/details': () => late.promise })
  nellIsIn({ hasCredit: true, currentSubscription: { id: 's1', plan: 4 } as never })
  await appAt('/you')
  await heading('Hello, Nell')
  // The links below wait with the rows.
  expect(main().queryByRole('link', { name: 'Support' })).toBeNull()
  const logOut = await main().findByRole('button', { name: 'Log out' }, { timeout: 5_000 })
  expect(main().getByRole('link', { name: 'Support' })).toBeTruthy()
  late.resolve(details)
  const band = await screen.findByRole('region', { name: 'One free audiobook is waiting' })
  expect(logOut.compareDocumentPosition(band)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('EDIT-16: the seats at events that one keeps are named with day and place, and lead to the event', async () => {
  nellIsIn({ hasCredit: false })
  const seat = {
    ...{ slug: 'salt', title: 'A walk round the harbour', place: 'The swing bridge, Whitby' },
    ...{ startsAt: '2030-11-24T17:00:00Z', endsAt: '2030-11-24T18:30:00Z' },
  }
  shopAnswers({ ...ANSWERS, '/api/seats': listOf([seat]) })
  await appAt('/you')
  const seats = within(await screen.findByRole('region', { name: 'Seats at events' }))
  expect(seats.getByText('Sunday 24 November 2030, 17:00 to 18:30. The swing bridge, Whitby')).toBeTruthy()
  expect(seats.getByRole('link').getAttribute('href')).toBe('/discussions/salt')
  cleanup()

  shopAnswers({ ...ANSWERS, '/api/seats': listOf([]) })
  await appAt('/you')
  expect(await main().findByText('Orders and receipts')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Seats at events' })).toBeNull()
})

test('NAV-60: a free account is offered the plans, and no band', async () => {
  nellIsIn({ hasCredit: false })
  shopAnswers({ ...ANSWERS, '/api/get-current-subscription': () => null, '/api/subscriptions': listOf([]) })
  await appAt('/you')
  expect(await main().findByText('A free account')).toBeTruthy()
  expect(main().getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/subscription')
  expect(screen.queryByRole('region', { name: /free audiobook/ })).toBeNull()
})

test('NAV-60: a visitor may log in and come back, join, or enter a code', async () => {
  await appAt('/you')
  await heading('Who’s listening?')
  expect(ways()).toEqual(
    expect.arrayContaining(['/login?from=%2Fyou', '/sign-up', '/subscription', '/redemption']),
  )
})

test('NAV-60: after the session has ended the device’s own rows stay, and offline a member’s name and plan do', async () => {
  becomeEnded({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' })
  const { router } = await appAt('/you')
  await heading('Hello, Nell')
  expect(main().getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login?from=%2Fyou')
  expect(ways()).toEqual(expect.arrayContaining(['/downloads', '/library/notes']))
  expect(ways()).not.toContain('/orders')
  expect(router.state.location.pathname).toBe('/you')
  cleanup()

  nellIsIn({ hasCredit: true, currentSubscription: { id: 's1', plan: 4 } as never })
  connectivity.lost()
  shopAnswers({})
  connectivity.lost()
  await appAt('/you')
  expect(await main().findByText('Reader, monthly')).toBeTruthy()
  expect(main().getByText('What plays without a connection')).toBeTruthy()
})
