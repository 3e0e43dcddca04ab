// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/account.ts'
import { PromotionBanner } from '#features/membership/PromotionBanner.tsx'
import { planOf, TIERS } from '#features/membership/model.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { PlanOffer } from './PlanOffer.tsx'
import { SimplerMembership } from './SimplerMembership.tsx'

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
  return { Link, createLink: () => Link, useNavigate: () => vi.fn() }
})
vi.mock('#app/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(cleanup)

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
function offers(current: Current | undefined) {
  cleanup()
  render(TIERS.map((tier) => <PlanOffer key={tier} plan={planOf(tier, false)} current={current} />))
}

test('MEMB-15 MEMB-16 MEMB-17: each tier may move to the two others, and manages its own', () => {
  for (const [plan, words] of [
    [6, ['Upgrade to Reader', 'Upgrade to Avid Reader']],
    [4, ['Downgrade to Supporter', 'Upgrade to Avid Reader']],
    [2, ['Downgrade to Supporter', 'Downgrade to Reader']],
  ] as const) {
    offers(membership(plan))
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(words)
    expect(hrefs()).toEqual(['/subscription-details'])
  }
})

test('MEMB-20: who has no plan goes to the till with one', () => {
  offers(undefined)
  expect(hrefs()).toEqual([6, 4, 1].map((plan) => `/payment{"plan":${plan}}`))
})

test('who cancelled, or whose payment failed, is led to where that is mended first', () => {
  for (const more of [{ canceledAt: '2026-12-03T00:00:00.000Z' }, { status: 'past_due' }]) {
    offers(membership(4, more))
    expect(screen.queryByRole('button')).toBeNull()
    expect(new Set(hrefs())).toEqual(new Set(['/subscription-details']))
  }
})

test('MEMB-22: the simpler page tells the till by the month or by the year', () => {
  render(<SimplerMembership />)
  expect(hrefs().slice(0, 2)).toEqual(['/payment{"subscription":"month"}', '/payment{"subscription":"year"}'])
})

test('MEMB-24 MEMB-25 MEMB-26: the banner speaks to visitors and to users, and leaves members alone', () => {
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
