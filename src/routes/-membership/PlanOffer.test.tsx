// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account.ts'
import { PromotionBanner } from '#features/membership/PromotionBanner.tsx'
import { planOf, TIERS } from '#features/membership/model.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { currentToast } from '#ui/toast.ts'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'
import { PlanOffer } from './SubscriptionScreen.tsx'
import { SimplerMembership } from './SubscriptionScreen.tsx'

interface LinkProps {
  to: string
  search?: object
  state?: object
  children?: ReactNode
  'aria-label'?: string
}
vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, state, children, ...rest }: LinkProps) => (
    <a
      href={`${to}${search || state ? JSON.stringify(search ?? state) : ''}`}
      aria-label={rest['aria-label']}
    >
      {children}
    </a>
  )
  return { Link, createLink: () => Link, useNavigate: () => navigate }
})
const navigate = vi.fn()
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(() => {
  cleanup()
  becomeVisitor()
})

type Current = NonNullable<User['currentSubscription']>
const membership = (plan: number, more: Partial<Current> = {}): Current => ({
  id: 's1',
  plan,
  status: 'active',
  canceledAt: null,
  validUntil: null,
  ...more,
})
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))
function offers(current: Current | undefined, yearly = false) {
  cleanup()
  render(TIERS.map((tier) => <PlanOffer key={tier} plan={planOf(tier, yearly)} current={current} />))
}

test('without payment keys, a plan needs a code', () => {
  render(<PlanOffer plan={planOf('reader', false)} current={undefined} closed />)
  const [link] = screen.getAllByRole('link')
  expect([link!.textContent, link!.getAttribute('aria-label')]).toEqual([
    'I have a code',
    'I have a code, Reader',
  ])
})

test('MEMB-15 MEMB-16 MEMB-17: a member of each tier can change to the two others, and manage their own', () => {
  for (const [plan, words] of [
    [6, ['Upgrade to Reader', 'Upgrade to Avid Reader']],
    [4, ['Downgrade to Supporter', 'Upgrade to Avid Reader']],
    [2, ['Downgrade to Supporter', 'Downgrade to Reader']],
  ] as const) {
    offers(membership(plan), plan === 2)
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(words)
    expect(hrefs()).toEqual(['/subscription-details'])
  }
})

test('ERR-02: every plan leads a member who owes a payment to that payment, and offers no plan that would be refused', () => {
  render(TIERS.map((tier) => <PlanOffer key={tier} plan={planOf(tier, false)} current={undefined} owes />))
  expect(hrefs()).toEqual(['/subscription-details', '/subscription-details', '/subscription-details'])
  expect(screen.queryByText('Get plan')).toBeNull()
  expect(screen.getByRole('link', { name: 'Settle your last payment to choose Reader' })).toBeTruthy()
})

test('a recipient of a gift membership can’t change its plan', () => {
  offers(membership(3, { gift: true }))
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getAllByText('For when your gift has ended')).toHaveLength(2)
  expect(screen.getByText('Your plan')).toBeTruthy()
})

test('a member with an open payment is offered no free trial', () => {
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: null,
    subscriptions: [{ id: 's1', paymentFailed: true }],
  } as never)
  render(<PromotionBanner />)
  expect(screen.queryByText('Start 30-day Premium trial')).toBeNull()
})

test('MEMB-20: a user without a plan is led to the checkout with the selected one', () => {
  offers(undefined)
  expect(hrefs()).toEqual([6, 4, 1].map((plan) => `/payment{"plan":${plan}}`))
})

test('a cancelled member is led to resume, and one with a failed payment to pay', () => {
  for (const more of [{ canceledAt: '2026-12-03T00:00:00.000Z' }, { status: 'past_due' }]) {
    offers(membership(4, more))
    expect(screen.queryByRole('button')).toBeNull()
    expect(new Set(hrefs())).toEqual(new Set(['/subscription-details']))
  }
})

test('MEMB-22: the simpler page passes monthly or yearly billing to the checkout', () => {
  render(<SimplerMembership />)
  expect(hrefs().slice(0, 2)).toEqual(['/payment{"subscription":"month"}', '/payment{"subscription":"year"}'])
})

test('MEMB-24 MEMB-25 MEMB-26: visitors and users without a membership see the banner, members don’t', () => {
  becomeVisitor()
  const { rerender } = render(<PromotionBanner />)
  expect(screen.getByRole('link', { name: 'Discover membership' }).getAttribute('href')).toBe('/sign-up')
  const user = { uuid: 'u1', email: 'a@b.example', fullName: 'A B' } as never
  becomeUser(user, { currentSubscription: null } as never)
  rerender(<PromotionBanner key="user" />)
  expect(hrefs()).toEqual(['/free-trial', '/subscription/{-$token}'])
  expect(screen.getByText('See Membership plans & gifts')).toBeTruthy()
  becomeUser(user, { currentSubscription: membership(4) } as never)
  rerender(<PromotionBanner key="member" />)
  expect(screen.queryByRole('link')).toBeNull()
})

async function changeToAvid(exchange: (wish: Exchange) => Promise<unknown>) {
  configureNet({ exchange, tokens: tokensOfWhoIsIn })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlanOffer plan={planOf('avid', false)} current={membership(4)} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Upgrade to Avid Reader' }))
  return within(await screen.findByRole('dialog', { name: 'Change plan' }))
}

test('MEMB-19: a change asks for confirmation with its price, then leads to the details', async () => {
  const preview = { plan: 1, when: 'now', at: '2026-11-21T10:00:00.000Z', amount: 1.73 }
  const nextPayment = { at: '2026-12-03T10:00:00.000Z', amount: 9 }
  const known = { ...preview, addedToNextPayment: false, reckonedAt: preview.at, nextPayment }
  const exchange = vi.fn(async ({ method }: Exchange): Promise<unknown> => (method === 'POST' ? known : {}))
  const dialog = await changeToAvid(exchange)
  expect(navigate).not.toHaveBeenCalled()
  expect((await dialog.findByText('On 3rd December')).nextSibling?.textContent).toBe('£9.00')
  fireEvent.click(await dialog.findByRole('button', { name: 'Change and pay £1.73' }))
  await waitFor(() => expect(navigate).toHaveBeenCalledWith({ to: '/subscription-details' }))
  expect(currentToast()?.text).toBe('You’re on Avid Reader now.')
  const change = exchange.mock.calls.find(([{ method }]) => method === 'PATCH')?.[0]
  expect(change?.json).toEqual({ plan: 1, amount: 1.73, reckonedAt: preview.at })
})

test('an amount that has changed meanwhile is shown again before anything is charged', async () => {
  let sum = 1.73
  const at = '2026-12-03T10:00:00.000Z'
  const exchange = vi.fn(async ({ method }: Exchange): Promise<unknown> => {
    if (method === 'PATCH' && sum === 1.73) {
      sum = 1.61
      throw new NetProblem('refused', 409, { message: 'The total has changed' })
    }
    const preview = { plan: 1, when: 'now', at, amount: sum, addedToNextPayment: false, reckonedAt: at }
    return { ...preview, nextPayment: { at, amount: 12 } }
  })
  const dialog = await changeToAvid(exchange)
  fireEvent.click(await dialog.findByRole('button', { name: 'Change and pay £1.73' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('The price has just changed.')
  fireEvent.click(await dialog.findByRole('button', { name: 'Change and pay £1.61' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  const sent = exchange.mock.calls.filter(([{ method }]) => method === 'PATCH').map(([{ json }]) => json)
  expect(sent).toMatchObject([{ amount: 1.73 }, { amount: 1.61 }])
})
