// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GivenTitle } from '#contract/given-gifts.ts'
import type { GivenMembership } from '#contract/membership-gifts.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { GivenByLinkScreen, GivenGiftsScreen } from './GivenGiftsScreen.tsx'

vi.mock('@tanstack/react-router', () => ({ createLink: () => () => null }))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))

const AT = '2026-12-09T10:00:00.000Z'
const base: GivenMembership = {
  '@id': '/api/subscriptions/given/g1',
  '@type': 'GivenMembership',
  id: 'g1',
  plan: 5,
  state: 'delivered',
  christmas: false,
  giftEmail: 'joost@harbour.example',
  giftRecipientFirstName: 'Joost',
  giftMessage: null,
  giftDeliveryDate: null,
  giftTimeZone: 'Europe/London',
  deliverAt: AT,
  givenAt: AT,
  sentAt: AT,
  claimedAt: null,
  giftUser: null,
  thanks: null,
  claimableUntil: '2028-12-09T10:00:00.000Z',
  order: null,
  amount: 80,
  changeable: true,
  takeBack: { until: '2026-12-23T10:00:00.000Z', amount: 80 },
}
const gone = { changeable: false, takeBack: null }

const book: GivenTitle = {
  '@id': '/api/gifts/given/b1',
  '@type': 'GivenTitle',
  id: 'b1',
  title: 'Peat',
  format: 'audiobook',
  slug: 'peat',
  state: 'delivered',
  giftEmail: 'typo@harbour.example',
  giftMessage: null,
  giftDeliveryDate: null,
  giftTimeZone: null,
  givenAt: AT,
  sentAt: '2026-12-12T10:00:00.000Z',
  claimedAt: null,
  giftUser: null,
  thanks: null,
  order: null,
  amount: 7.5,
  changeable: true,
  takeBack: { until: '2026-12-23T10:00:00.000Z', amount: 7.5 },
}

let given: GivenMembership[]
let books: GivenTitle[]
let change: (asked: Exchange) => unknown
const exchange = vi.fn(async (asked: Exchange): Promise<unknown> => {
  if (asked.method !== 'GET') return change(asked)
  if (asked.path.startsWith('/api/gifts/given-by-link/')) return { title: books[0]!, membership: null }
  if (asked.path === '/api/gifts/given') return { 'hydra:member': books }
  return { 'hydra:member': asked.path === '/api/subscriptions/given' ? given : [] }
})
const changes = () =>
  exchange.mock.calls
    .filter(([{ method }]) => method !== 'GET')
    .map(([{ method, path, json }]) => [`${method} ${path}`, json])
beforeEach(() => {
  vi.clearAllMocks()
  given = [base]
  books = []
  change = () => given[0]
  configureNet({
    exchange,
    tokens: { read: async () => ({ token: tokenOf('u1') }) },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeUser({ uuid: 'u1', firstName: 'Nell', fullName: 'Nell Hart' }, null)
})
afterEach(cleanup)

async function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GivenGiftsScreen />
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { level: 2, name: 'Gifts you’ve sent' })
  await screen.findAllByText(/^(Peat|A year of Reader)/)
}
const press = (name: string, inside = within(document.body)) =>
  fireEvent.click(inside.getByRole('button', { name }))
const dialog = () => within(screen.getByRole('dialog'))

test.each([
  [
    { state: 'scheduled', giftDeliveryDate: '2026-12-25' },
    'Not claimed. It arrives on Friday 25th December, 8:00 in the morning, London time.',
  ],
  [{ state: 'sending' }, 'Not claimed. It’s on its way to joost@harbour.example.'],
  [{ state: 'delivered' }, 'Not claimed. Delivered to joost@harbour.example on 9th December 2026.'],
  [
    { state: 'failed' },
    'Not claimed. It didn’t reach joost@harbour.example. Correct the address and we’ll send it again.',
  ],
  [
    { state: 'claimed', claimedAt: AT, giftUser: { email: 'j@x.example', fullName: 'Joost Vos' }, ...gone },
    'Claimed by Joost Vos on 9th December 2026.',
  ],
  [{ state: 'refunded', ...gone }, 'Refunded. It can’t be opened any more.'],
  [{ state: 'lapsed', ...gone }, 'Lapsed on 9th December 2028: it wasn’t claimed within 24 months.'],
] as const)('MEMB-31: the giver reads what became of a gift: %o', async (fields, words) => {
  given = [{ ...base, ...fields }]
  await open()
  expect(screen.getByText('A year of Reader, for Joost')).toBeTruthy()
  expect(screen.getByText(words)).toBeTruthy()
  const isScheduled = fields.state === 'scheduled'
  expect(screen.queryByRole('button', { name: 'Send again, the gift for Joost' }) !== null).toBe(
    !('changeable' in fields) && !isScheduled,
  )
})

test('an address can be corrected until the gift is claimed, and only a valid one is sent', async () => {
  await open()
  press('Edit the gift for Joost')
  const email = dialog().getByLabelText('Their email *')
  fireEvent.change(email, { target: { value: 'joost@harbour' } })
  press('Save', dialog())
  expect(dialog().getByText('Invalid email')).toBeTruthy()
  expect(changes()).toEqual([])
  fireEvent.change(email, { target: { value: 'joost@haven.example' } })
  press('Save', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changes()).toEqual([
    [
      'PATCH /api/subscriptions/given/g1',
      { giftEmail: 'joost@haven.example', giftRecipientFirstName: 'Joost', giftMessage: null },
    ],
  ])
})

test('a refused correction keeps the dialog open and shows why', async () => {
  change = () => {
    throw new NetProblem('refused', 422, { message: 'This gift has been claimed' })
  }
  await open()
  press('Edit the gift for Joost')
  press('Save', dialog())
  expect((await dialog().findByRole('alert')).textContent).toBe('This gift has been claimed')
})

test('a gift can be sent again, and a rate limit is reported', async () => {
  await open()
  press('Send again, the gift for Joost')
  await waitFor(() => expect(changes()).toEqual([['POST /api/subscriptions/given/g1/send-again', undefined]]))
  change = () => {
    throw new NetProblem('refused', 429, { message: 'Please wait a while' })
  }
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Send again, the gift for Joost' }).ariaBusy).not.toBe('true'),
  )
  press('Send again, the gift for Joost')
  await screen.findByText('Please wait a while')
})

test('within 14 days a gift is taken back after a confirmation that names the refund', async () => {
  await open()
  press('Take back the gift for Joost')
  expect(screen.getByRole('dialog', { name: 'Take it back and get £80.00 back?' })).toBeTruthy()
  press('Take it back', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changes()).toEqual([['POST /api/subscriptions/given/g1/take-back', undefined]])
})

test('taking back a gift paid in full by a code mentions no money', async () => {
  given = [{ ...base, takeBack: { ...base.takeBack!, amount: 0 } }]
  await open()
  press('Take back the gift for Joost')
  expect(screen.getByRole('dialog', { name: 'Take it back?' }).textContent).not.toMatch(/money|£/)
})

test('a scheduled gift has its own texts, and its new state is fetched after it is taken back', async () => {
  given = [{ ...base, state: 'scheduled', giftDeliveryDate: '2999-12-25' }]
  await open()
  press('Edit the gift for Joost')
  expect(dialog().getByText(/^Nothing has been sent yet\./)).toBeTruthy()
  press('Cancel', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('Take back the gift for Joost')
  expect(dialog().getByText(/^Nothing is sent to Joost\./)).toBeTruthy()
  change = () => {
    given = [{ ...base, state: 'refunded', changeable: false, takeBack: null }]
    return given[0]
  }
  press('Take it back', dialog())
  expect(await screen.findByText('Refunded. It can’t be opened any more.')).toBeTruthy()
})

test('a given book is in the same list, and can be corrected, sent again and taken back like a membership', async () => {
  books = [{ ...book, givenAt: '2026-12-10T10:00:00.000Z' }]
  await open()
  // Newest first, by the date of the latest link, not of the purchase.
  expect(screen.getAllByText(/^(Peat|A year of Reader)/).map(({ textContent }) => textContent)).toEqual([
    'Peat',
    'A year of Reader, for Joost',
  ])
  screen.getByText('Not claimed. Delivered to typo@harbour.example on 12th December 2026.')
  press('Edit the gift for typo@harbour.example')
  expect(dialog().queryByLabelText('Their first name')).toBeNull()
  fireEvent.change(dialog().getByLabelText('Their email *'), { target: { value: 'greta@harbour.example' } })
  press('Save', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('Send again, the gift for typo@harbour.example')
  await waitFor(() => expect(changes()).toHaveLength(2))
  press('Take back the gift for typo@harbour.example')
  expect(screen.getByRole('dialog', { name: 'Take it back and get £7.50 back?' })).toBeTruthy()
  press('Take it back', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changes()).toEqual([
    ['PATCH /api/gifts/given/b1', { giftEmail: 'greta@harbour.example', giftMessage: null }],
    ['POST /api/gifts/given/b1/send-again', undefined],
    ['POST /api/gifts/given/b1/take-back', undefined],
  ])
})

test('the link in a giver’s email shows only that gift, which can be changed without a log-in', async () => {
  becomeVisitor()
  books = [book]
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GivenByLinkScreen token="tok" />
    </QueryClientProvider>,
  )
  await screen.findByText('Peat')
  press('Take back the gift for typo@harbour.example')
  press('Take it back', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changes()).toEqual([['POST /api/gifts/given-by-link/tok/take-back', undefined]])
})

test('a book gift shows its address once: below its title, or in the title if the line below has none', async () => {
  given = []
  books = [book, { ...book, id: 'b2', title: 'Peat Again', state: 'refunded', ...gone }]
  await open()
  expect(screen.getAllByText(/^Peat/).map(({ textContent }) => textContent)).toEqual([
    'Peat',
    'Peat Again, for typo@harbour.example',
  ])
})

test('a link without a gift links to the page of all gifts once, and offers a log-in only to a visitor', async () => {
  change = () => undefined
  exchange.mockImplementationOnce(async () => ({ title: null, membership: null }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GivenByLinkScreen token="none" />
    </QueryClientProvider>,
  )
  await screen.findByText('This link doesn’t lead to a gift.')
  expect(screen.getByText(/All the gifts you’ve sent are on one page/)).toBeTruthy()
  expect(screen.queryByText(/Log in to see/)).toBeNull()
})

test('an empty list of gifts explains how to give one', async () => {
  given = []
  render(
    <QueryClientProvider client={new QueryClient()}>
      <GivenGiftsScreen />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('You haven’t sent a gift yet.')).toBeTruthy()
})

test('month: the giver reads the recipient’s thanks below the gift, as text', async () => {
  given = [{ ...base, state: 'claimed', claimedAt: AT, ...gone, thanks: 'All <b>year</b> long!' }]
  await open()
  expect(screen.getByText('All <b>year</b> long!').closest('blockquote')).toBeTruthy()
})
