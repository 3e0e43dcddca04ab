// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlanId } from '#contract/plans.ts'
import type { Purchase } from '#features/checkout/purchase.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { forgetWish, writeWish } from '#features/gifts/wish.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { PlanTill } from './PlanTill.tsx'

const navigate = vi.fn(async (_to: { search: { plan: PlanId; gift?: Occasion } }) => undefined)
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))
interface TillProps {
  purchase: Purchase
  notice: ReactNode
  summary: ReactNode
}
vi.mock('./MembershipTill.tsx', () => ({
  MembershipTill: ({ purchase, notice, summary }: TillProps) => (
    <>
      {notice}
      {summary}
      <p>Blocked: {purchase.blocked ?? 'no'}</p>
      <button type="button">{purchase.label}</button>
    </>
  ),
}))

beforeEach(() => {
  vi.clearAllMocks()
  configureNet({
    exchange: async () => ({ purchased: false, plans: [] }),
    tokens: { read: async () => null },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeVisitor()
  forgetWish()
})
afterEach(cleanup)

function At({ plan, gift }: { plan: PlanId; gift?: Occasion }) {
  const [search, setSearch] = useState<{ plan: PlanId; gift?: Occasion }>({ plan, ...(gift && { gift }) })
  navigate.mockImplementation(async ({ search: next }) => void setSearch(next))
  return <PlanTill {...search} />
}
const show = (plan: PlanId, gift?: Occasion) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <At plan={plan} {...(gift && { gift })} />
    </QueryClientProvider>,
  )
const toggle = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send as a gift' })
const wish = { firstName: 'Joost', email: 'joost@harbour.example', message: '', day: '25/12/2999' }

test('GIFT-02 GIFT-03 GIFT-04 PAY-43 ROLE-13: a member may send a plan as a gift; the box is off at first, and nothing is paid before it says who', async () => {
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: { id: 's1', plan: 4, status: 'active', canceledAt: null, validUntil: null },
    subscriptions: [],
  } as never)
  show(5)
  expect(toggle().checked).toBe(false)
  expect(screen.queryByLabelText('Their email *')).toBeNull()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeTruthy()
  await act(async () => fireEvent.click(toggle()))
  expect(screen.getByText('Blocked: Say who it’s for first.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Their email *'), { target: { value: wish.email } })
  expect(screen.getByText('Blocked: no')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Pay now' })).toBeTruthy()
  expect(screen.getByRole('complementary', { name: 'Your gift' })).toBeTruthy()
  await act(async () => fireEvent.click(toggle()))
  expect(screen.queryByLabelText('Their email *')).toBeNull()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeTruthy()
})

test('PLAN-05: at Christmas the plan is chosen at the till too, between the two that are given', async () => {
  writeWish(wish)
  show(1, 'xmas')
  const plans = screen.getAllByRole<HTMLInputElement>('radio')
  expect(plans.map(({ value, checked }) => [value, checked])).toEqual([
    ['1', true],
    ['2', false],
  ])
  await act(async () => fireEvent.click(plans[1]!))
  expect(navigate).toHaveBeenCalledWith(
    expect.objectContaining({ search: { plan: 2, gift: 'xmas' }, replace: true }),
  )
  expect(screen.getByText('A year of Avid Reader')).toBeTruthy()
})

test('whom it is for is known at the till, and can be changed there', () => {
  writeWish(wish)
  show(5, 'gift')
  expect(screen.getByText('For Joost, joost@harbour.example')).toBeTruthy()
  expect(screen.getByText('Blocked: no')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Change/ }))
  expect(screen.getByLabelText<HTMLInputElement>('Their email *').value).toBe(wish.email)
})
