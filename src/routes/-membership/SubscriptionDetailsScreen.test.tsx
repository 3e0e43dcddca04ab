// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeEnded, becomeUser } from '#session/store.ts'
import { AT, membershipDetails } from '#tests/support/membership-details.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { SubscriptionDetailsScreen } from './SubscriptionDetailsScreen.tsx'

interface LinkProps {
  to: string
  search?: object
  look?: string
  children?: ReactNode
}
vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, look, children }: LinkProps) => (
    <a href={`${to}${search ? JSON.stringify(search) : ''}`} data-look={look}>
      {children}
    </a>
  )
  return {
    Link,
    createLink: () => Link,
    useNavigate: () => navigate,
    useRouterState: ({ select }: { select: (state: object) => unknown }) => select({ location }),
  }
})
const navigate = vi.fn()
const location = { state: {} as { done?: string } }
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#features/catalogue/BookCards.tsx', () => ({ BookCarousel: () => null }))

/** The server's membership, and its response to a change. */
let details: SubscriptionDetails | undefined
let giftsAnswer: () => unknown
let change: (path: string) => unknown
let owed: object[]
let invoices: object[]
let former: SubscriptionDetails | undefined
const exchange = vi.fn(async ({ method, path }: Exchange): Promise<unknown> => {
  if (method === 'POST') return change(path)
  if (path.endsWith('/details')) return details ?? former
  if (path.endsWith('/invoice')) return { invoices }
  if (path.endsWith('/get-current-subscription')) return details?.subscription ?? null
  if (path.endsWith('/subscriptions/gifts')) return giftsAnswer()
  if (path.endsWith('/api/subscriptions')) return { 'hydra:member': former ? [former.subscription] : [] }
  if (path.endsWith('/refunds')) return { 'hydra:member': owed }
  return { 'hydra:member': [] }
})
const posted = () =>
  exchange.mock.calls.filter(([{ method }]) => method === 'POST').map(([{ path, json }]) => [path, json])

beforeEach(() => {
  vi.clearAllMocks()
  details = membershipDetails()
  giftsAnswer = () => ({ 'hydra:member': [] })
  change = () => details?.subscription
  owed = []
  invoices = []
  former = undefined
  location.state = {}
  configureNet({
    exchange,
    tokens: { read: async () => ({ token: tokenOf('u1') }) },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: { id: 's1', plan: 4, status: 'active', canceledAt: null, validUntil: AT },
    subscriptions: [],
  } as never)
})
afterEach(cleanup)

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SubscriptionDetailsScreen />
    </QueryClientProvider>,
  )
async function open() {
  show()
  await screen.findByRole('heading', { name: 'Your plan' })
}
const press = (name: string, within_ = within(document.body)) =>
  fireEvent.click(within_.getByRole('button', { name }))
const dialog = () => within(screen.getByRole('dialog'))

test('the screen stays when the session ends, and an unclaimed gift doesn’t hide the membership', async () => {
  giftsAnswer = () => {
    throw new NetProblem('server', 503)
  }
  await open()
  act(() => becomeEnded({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }))
  expect(screen.getByRole('heading', { name: 'Your plan' })).toBeTruthy()
})

test('MEMB-29 MEMB-45: an active membership shows its next payment with its date, and links to the new card', async () => {
  await open()
  const next = screen.getByText('Next payment').parentElement!
  expect(next.textContent).toContain('£8.00')
  expect(next.textContent).toContain('3rd December 2026')
  expect(screen.getByText('Update payment').getAttribute('href')).toBe(
    '/payment{"update-card":1,"subscription":"s1"}',
  )
})

test('MEMB-04: a renewing membership says so, and can be cancelled at any time after a confirmation', async () => {
  await open()
  expect(screen.getByText(/It renews automatically each month. You can stop whenever you like/)).toBeTruthy()
  press('Cancel membership')
  press('Cancel membership', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(posted()).toEqual([['/api/subscriptions/s1/cancel', undefined]])
  cleanup()
  details = membershipDetails({ status: 'trialing' })
  await open()
  expect(screen.getByRole('button', { name: 'Cancel trial' })).toBeTruthy()
  cleanup()
  const failedPayment = { since: AT, benefitsUntil: AT, amount: 8 }
  details = membershipDetails({ status: 'past_due' }, { nextPayment: null, failedPayment })
  await open()
  expect(screen.getByRole('button', { name: 'Cancel membership' })).toBeTruthy()
})

test('MEMB-34: a failed cancellation keeps the question and says so; the membership stays unchanged', async () => {
  change = () => {
    throw new NetProblem('server', 500)
  }
  await open()
  press('Cancel membership')
  press('Cancel membership', dialog())
  expect((await dialog().findByRole('alert')).textContent).toBe('Something went wrong, please try again')
  press('Keep it', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Reader, monthly, active since December 2026')).toBeTruthy()
  expect(screen.queryByText('Payment has been cancelled')).toBeNull()
})

test('MEMB-30 MEMB-44: a cancelled membership shows its last day, and one press resumes it', async () => {
  change = () => {
    details = membershipDetails({ canceledAt: AT }, { nextPayment: null })
    return details.subscription
  }
  await open()
  press('Cancel membership')
  press('Cancel membership', dialog())
  await screen.findByRole('heading', { name: 'Yours until 3rd December 2026' })
  screen.getByText('Payment has been cancelled')
  expect(screen.queryByRole('button', { name: 'Cancel membership' })).toBeNull()
  details = membershipDetails()
  press('Resume membership')
  await screen.findByText('Welcome back. Your membership continues as before.')
  const resumed = exchange.mock.calls.find(([{ method }]) => method === 'PATCH')?.[0]
  expect(resumed).toMatchObject({ path: '/api/subscriptions/s1', json: { canceledAt: null } })
  expect(await screen.findByRole('button', { name: 'Cancel membership' })).toBeTruthy()
  expect(screen.queryByText('Payment has been cancelled')).toBeNull()
})

test('MEMB-28: the trial costs £0.00 until its last day, and shows the price after that', async () => {
  details = membershipDetails({ status: 'trialing', payment: { type: 'card', amount: 0 } })
  await open()
  screen.getByRole('heading', { name: 'Reader, £0.00 until 3rd December' })
  const then = /^Then it’s £8\.00 a month from your card ending 4242, unless you cancel first\./
  expect(screen.getByText(then)).toBeTruthy()
})

test('MEMB-33: a PayPal payer is not offered another card', async () => {
  details = membershipDetails({ payment: { type: 'paypal', amount: 8 }, cardLast4: null })
  await open()
  expect(screen.getAllByText(/PayPal/).length).toBeGreaterThan(0)
  expect(screen.queryByText('Update payment')).toBeNull()
})

test('MEMB-40: a downgrade costs nothing today, happens at the end of the period, and is shown until then', async () => {
  await open()
  press('Change plan')
  const preview = {
    plan: 6,
    when: 'period_end',
    at: AT,
    amount: 0,
    addedToNextPayment: false,
    ends: null,
    reckonedAt: AT,
  }
  change = () => ({ ...preview, nextPayment: { at: AT, amount: 3 } })
  fireEvent.click(dialog().getByRole('radio', { name: /^Supporter/ }))
  expect((await dialog().findByText('Today')).nextSibling?.textContent).toBe('£0.00')
  details = membershipDetails({}, { pendingPlan: { plan: 6, at: AT } })
  press('Change on 3rd December', dialog())
  await screen.findByText('Supporter starts on 3rd December. Until then nothing changes.')
  await screen.findByText('Supporter, monthly')
  screen.getByText('Starts on 3rd December 2026.')
})

test('MEMB-40: an upgrade says that it adds a free audiobook this month, and which planned change it cancels', async () => {
  details = membershipDetails({}, { pendingPlan: { plan: 6, at: AT } })
  await open()
  press('Change plan')
  change = () => ({
    plan: 1,
    when: 'now',
    at: AT,
    amount: 3.5,
    addedToNextPayment: false,
    nextPayment: { at: AT, amount: 12 },
    ends: { plan: 6, at: AT },
    reckonedAt: AT,
  })
  fireEvent.click(dialog().getByRole('radio', { name: /^Avid Reader/ }))
  await dialog().findByText(/One more free audiobook is yours this month\./)
  await dialog().findByText(/The change to Supporter on 3rd December won’t happen\./)
  expect(dialog().getByRole('button', { name: 'Change and pay £3.50' })).toBeTruthy()
})

test('resuming names the plan that continues, and asks whether the dropped change still counts', async () => {
  const droppedPlan = { plan: 6, at: AT } as const
  details = membershipDetails({ plan: 1, canceledAt: AT }, { nextPayment: null, droppedPlan })
  await open()
  expect(document.body.textContent).toContain(
    'the next payment is due on 3rd December, for Avid Reader. The change to Supporter was cancelled too.',
  )
  expect(screen.queryByText('Choose it again?')).toBeNull()
  details = membershipDetails({ plan: 1 }, { droppedPlan })
  press('Resume membership')
  await screen.findByText('Welcome back. Your membership continues as Avid Reader.')
  await screen.findByText('You’d chosen Supporter from 3rd December.')
  press('Choose Supporter')
  expect(dialog().getByRole<HTMLInputElement>('radio', { name: /^Supporter/ }).checked).toBe(true)
})

test('a failed payment is shown with its amount and date', async () => {
  const failedPayment = { since: AT, benefitsUntil: AT, amount: 8 }
  details = membershipDetails({ status: 'past_due' }, { nextPayment: null, failedPayment })
  await open()
  expect(screen.getByRole('heading', { name: 'Your bank turned down £8.00' })).toBeTruthy()
  expect(screen.getByText(/That was on 3rd December\./)).toBeTruthy()
})

test('a member with a code sees the reduced price, and how long the code applies', async () => {
  const code = { percentDiscount: 25, discountDuration: 'repeating', discountDurationMonths: 24 } as const
  details = membershipDetails({ plan: 2, ...code }, { nextPayment: { at: AT, amount: 90, plan: 2 } })
  await open()
  expect(screen.getByText('Avid Reader, £90.00 a year')).toBeTruthy()
  expect(screen.getByText('25% off with your code, for 24 months from 3rd December 2026.')).toBeTruthy()
})

test('ROLE-13: a member sees the questions for a change and for a cancellation', async () => {
  await open()
  press('Change plan')
  expect(screen.getByRole('dialog', { name: 'Change plan' })).toBeTruthy()
  press('Not now', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('Cancel membership')
  expect(screen.getByRole('dialog', { name: /^Cancel membership/ })).toBeTruthy()
})

test('withdrawing shows the refund, sends it along, and asks again if it has changed meanwhile', async () => {
  details = membershipDetails({}, { withdrawal: { until: AT, amount: 6.4, disputed: false, blocked: false } })
  await open()
  press('Withdraw from contract here')
  expect(screen.getByRole('dialog', { name: 'Cancel and get £6.40 back?' })).toBeTruthy()
  change = () => {
    details = membershipDetails(
      {},
      { withdrawal: { until: AT, amount: 6.13, disputed: false, blocked: false } },
    )
    throw new NetProblem('refused', 409, { message: 'Your total has changed' })
  }
  press('Confirm withdrawal', dialog())
  expect((await dialog().findByRole('alert')).textContent).toBe('Your total has changed')
  await screen.findByRole('dialog', { name: 'Cancel and get £6.13 back?' })
  change = () => details?.subscription
  press('Confirm withdrawal', dialog())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(posted()).toEqual([
    ['/api/subscriptions/s1/withdraw', { amount: 6.4 }],
    ['/api/subscriptions/s1/withdraw', { amount: 6.13 }],
  ])
  await waitFor(() =>
    expect(document.activeElement?.textContent).toContain(
      'Your membership is cancelled, and £6.13 is on its way back to you.',
    ),
  )
})

test('during a dispute, or without anything to refund, the page explains it and has no button', async () => {
  details = undefined
  former = membershipDetails(
    {},
    {
      withdrawal: { until: AT, amount: 0, disputed: true, blocked: false },
      disputedSince: AT,
      credits: { left: 0, until: null, from: null, leavesToPayBack: null, confirmAddressFirst: false },
    },
  )
  await open()
  expect(screen.queryByText('You’re not a member just now.')).toBeNull()
  expect(screen.getByRole('heading', { name: 'Your bank is looking into a payment' })).toBeTruthy()
  // Its free audiobooks are on hold, too, which differs from chosen.
  expect(document.body.textContent).not.toContain('You’ve chosen this month’s free')
  expect(document.body.textContent).toContain('we can’t pay anything back here')
  expect(document.body.textContent).not.toContain('There’s nothing to refund')
  expect(screen.queryByRole('button', { name: 'Withdraw from contract here' })).toBeNull()
  cleanup()
  details = membershipDetails({}, { withdrawal: { until: AT, amount: 0, disputed: false, blocked: false } })
  await open()
  expect(document.body.textContent).toContain('There’s nothing to refund')
  expect(screen.queryByRole('button', { name: 'Withdraw from contract here' })).toBeNull()
  cleanup()
  details = membershipDetails({}, { withdrawal: { until: AT, amount: 0, disputed: false, blocked: true } })
  await open()
  expect(document.body.textContent).toContain('Our payment provider can’t send this payment back')
  expect(screen.queryByRole('button', { name: 'Withdraw from contract here' })).toBeNull()
})

test('MEMB-27: after a membership has ended its payments and refunds stay visible', async () => {
  details = undefined
  former = membershipDetails({ status: 'canceled', canceledAt: AT }, { nextPayment: null })
  invoices = [
    { order: 'o1', orderNumber: 'M-100012', at: AT, amount: 12, refunded: 6, disputed: false, plan: 1 },
  ]
  show()
  expect(await screen.findByText('£12.00, £6.00 paid back')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'You’re not a member just now.' })).toBeTruthy()
  expect(screen.queryByText('Update payment')).toBeNull()
})

test('MEMB-27: a payment shows whether it was fully refunded, and that the bank is investigating it', async () => {
  const invoice = { orderNumber: 'M-1', at: AT, amount: 8, refunded: 0, disputed: false, plan: 4 as const }
  invoices = [
    { ...invoice, order: 'o3', disputed: true },
    { ...invoice, order: 'o2', refunded: 8 },
    { ...invoice, order: 'o1' },
  ]
  await open()
  for (const words of ['£8.00, your bank is looking into it', '£8.00, paid back', '£8.00, paid'])
    expect(screen.getByText(words)).toBeTruthy()
})

test('MEMB-27: an upgrade in the days after joining is not shown as a renewal', async () => {
  const day = 86_400_000
  const joinedAt = Date.parse('2026-11-20T10:00:00.000Z')
  const at = (ms: number) => new Date(ms).toISOString()
  const until = at(joinedAt + 14 * day)
  details = membershipDetails({}, { withdrawal: { until, amount: 6, disputed: false, blocked: false } })
  const invoice = { order: 'o1', orderNumber: 'M-1', amount: 8, refunded: 0, disputed: false, plan: 4 }
  invoices = [
    { ...invoice, order: 'o2', at: at(joinedAt + day) },
    { ...invoice, at: at(joinedAt) },
  ]
  await open()
  expect(screen.getByText('Just joined')).toBeTruthy()
  cleanup()
  invoices = [
    { ...invoice, order: 'o2', at: at(joinedAt) },
    { ...invoice, at: at(joinedAt - 365 * day) },
  ]
  await open()
  expect(screen.getByText('Just renewed')).toBeTruthy()
})

test('a refund that couldn’t be paid yet is mentioned, also after the membership has ended', async () => {
  details = undefined
  owed = [{ id: 'r1', order: 'o1', orderNumber: 'M-100012', amount: 8, since: AT }]
  show()
  expect(await screen.findByText(/^We’re still sending it: £8\.00 of your order M-100012\./)).toBeTruthy()
})

test('after a recent withdrawal, a member sees when the new membership’s free audiobooks come', async () => {
  details = membershipDetails(
    {},
    { credits: { left: 0, until: null, from: AT, leavesToPayBack: null, confirmAddressFirst: false } },
  )
  await open()
  expect(
    screen.getByRole('heading', { name: 'Your first free audiobook comes on 3rd December' }),
  ).toBeTruthy()
})

test('a recipient can hand back a gift membership: the giver is refunded, and the price stays hidden', async () => {
  details = membershipDetails(
    { gift: true, payment: null, cardLast4: null },
    { nextPayment: null, withdrawal: { until: AT, amount: 80, disputed: false, blocked: false } },
  )
  await open()
  expect(document.body.textContent).toContain('you can hand it back, and we’ll refund whoever gave it.')
  press('Hand it back')
  expect(screen.getByRole('dialog', { name: 'Hand this gift back?' })).toBeTruthy()
  expect(document.body.textContent).not.toContain('£80')
  press('Hand it back', dialog())
  await screen.findByText('You’ve handed your gift back. Whoever gave it gets their money back.')
  expect(posted()).toEqual([['/api/subscriptions/s1/withdraw', { amount: 80 }]])
})

test('a trial has its own question, and a credit that ends with it must be chosen before', async () => {
  details = membershipDetails({ status: 'trialing' })
  await open()
  press('Cancel trial')
  expect(screen.getByRole('dialog', { name: /^Cancel your trial\?/ })).toBeTruthy()
  expect(dialog().getByText(/with one free audiobook to choose before then\.$/)).toBeTruthy()
  expect(dialog().getByRole('button', { name: 'Cancel trial' })).toBeTruthy()
})

test('shows the number of free audiobooks, and their last day if there is one', async () => {
  details = membershipDetails(
    { plan: 1 },
    { credits: { left: 2, until: null, from: null, leavesToPayBack: null, confirmAddressFirst: false } },
  )
  await open()
  expect(document.body.textContent).toContain(
    'Choose from this month’s highlights. They won’t carry over, and what you choose is yours for good.',
  )
  cleanup()
  details = membershipDetails(
    { plan: 1 },
    { credits: { left: 0, until: null, from: null, leavesToPayBack: null, confirmAddressFirst: false } },
  )
  await open()
  expect(screen.getByRole('heading', { name: 'You’ve chosen this month’s free audiobooks' })).toBeTruthy()
})

test('if a gift is unclaimed, opening it is the main action', async () => {
  const gift = { id: 'g1', plan: 5, state: 'unclaimed', giverName: 'Nell Hart', giftMessage: null }
  giftsAnswer = () => ({ 'hydra:member': [gift] })
  details = undefined
  show()
  await screen.findByText('Unwrap')
  expect((await screen.findByText('See the plans')).dataset.look).toBe('quiet')
  cleanup()
  giftsAnswer = () => ({ 'hydra:member': [] })
  show()
  expect((await screen.findByText('See the plans')).dataset.look).toBe('beak')
})

test('asks for the reason only after the cancellation; every member can answer or ignore the question', async () => {
  await open()
  press('Cancel membership')
  expect(screen.queryByText(/Would you mind/)).toBeNull()
  press('Cancel membership', dialog())
  await screen.findByText('Would you mind telling us why? (optional)')
  press('No time to listen')
  await screen.findByText('Thank you. That helps us.')
  expect(posted().at(-1)).toEqual(['/api/subscriptions/s1/leaving-reason', { reason: 'time' }])
})

test('one press charges the failed card again; authentication happens at the checkout', async () => {
  details = membershipDetails(
    { status: 'past_due' },
    { nextPayment: null, failedPayment: { since: AT, benefitsUntil: AT, amount: 8 } },
  )
  change = () => ({ outcome: 'refused', clientSecret: null })
  await open()
  press('Try this card again')
  expect((await screen.findByRole('alert')).textContent).toContain('Your bank declined it again.')
  expect(posted()).toEqual([['/api/subscriptions/s1/pay', undefined]])
  change = () => ({ outcome: 'authenticate', clientSecret: 'pi_1_secret_x' })
  press('Try this card again')
  await waitFor(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate.mock.calls[0]?.[0]).toMatchObject({
    to: '/payment',
    search: { 'update-card': 1, subscription: 's1', confirm: 1 },
  })
  change = () => {
    details = membershipDetails()
    return { outcome: 'paid', clientSecret: null }
  }
  press('Try this card again')
  await screen.findByText('Thank you. Your payment went through.')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Try this card again' })).toBeNull())
})

test('a membership that ended after a failed payment shows since when, and that nothing is owed', async () => {
  details = undefined
  const endedUnpaid = { at: AT, failedAt: '2026-11-05T10:00:00.000Z' }
  former = membershipDetails({ status: 'canceled' }, { nextPayment: null, endedUnpaid })
  show()
  await screen.findByText(
    'Your payment of 5th November 2026 didn’t go through, so your membership ended on 3rd December 2026. You owe us nothing.',
  )
  cleanup()
  former = membershipDetails({ status: 'canceled' }, { nextPayment: null })
  show()
  await screen.findByText(/Your library stays yours either way/)
  expect(screen.queryByText(/didn’t go through/)).toBeNull()
})

test('the checkout’s message is shown on the page that it leads to', async () => {
  location.state = { done: '£8.00 paid. You’re back.' }
  await open()
  expect(screen.getByText('£8.00 paid. You’re back.')).toBeTruthy()
})
