// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useEffect, useState, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlanDiscount } from '#contract/discounts.ts'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { giveUpPayment, rememberPayment } from '#features/checkout/store.ts'
import type { Purchase } from '#features/checkout/purchase.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { forgetGiftDraft, writeGiftDraft } from '#features/gifts/draft.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { PlanCheckout } from './PlanCheckout.tsx'

const navigate = vi.fn(async (_to: { search: { plan: PlanId; gift?: Occasion } }) => undefined)
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  createLink: (As: unknown) => As,
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
}))
interface CheckoutProps {
  purchase: Purchase
  notice: ReactNode
  summary: ReactNode
  open: (queryClient: QueryClient) => Promise<unknown>
}
vi.mock('./MembershipCheckout.tsx', () => ({
  MembershipCheckout: ({ purchase, notice, summary, open }: CheckoutProps) => {
    const queryClient = useQueryClient()
    useEffect(() => void open(queryClient), [open, queryClient])
    return (
      <>
        {notice}
        {summary}
        <p>Blocked: {purchase.blocked ?? 'no'}</p>
        <button type="button">{purchase.label}</button>
      </>
    )
  },
}))

let discount: Pick<PlanDiscount, 'discountDuration' | 'discountDurationMonths'>
let hold: (plan: string) => Promise<void>
let valid: boolean
const priced = async (plan: string): Promise<PlanDiscount> => {
  await hold(plan)
  const { id, priceMinor } = Object.values(PLANS).find((each) => String(each.id) === plan)!
  const price = priceMinor / 100
  const message = valid ? null : 'This discount code was already used'
  const off = { relative_discount: 25, discount_amount: null, free: false, valid, message }
  return { ...off, ...discount, plan: id, price, discountPrice: price * 0.75, vat: 1 }
}

beforeEach(() => {
  vi.clearAllMocks()
  localStorage.clear()
  discount = { discountDuration: 'once', discountDurationMonths: null }
  hold = async () => undefined
  valid = true
  configureNet({
    exchange: async ({ path, search }: Exchange) =>
      path.endsWith('/sub-apply-coupon')
        ? priced(search?.get('plan') ?? '')
        : { purchased: false, plans: [] },
    tokens: { read: async () => null },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeVisitor()
  forgetGiftDraft()
})
afterEach(cleanup)

function At({ plan, gift }: { plan: PlanId; gift?: Occasion }) {
  const [search, setSearch] = useState<{ plan: PlanId; gift?: Occasion }>({ plan, ...(gift && { gift }) })
  navigate.mockImplementation(async ({ search: next }) => void setSearch(next))
  return <PlanCheckout {...search} />
}
const show = (plan: PlanId, gift?: Occasion) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <At plan={plan} {...(gift && { gift })} />
    </QueryClientProvider>,
  )
const toggle = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send as a gift' })
async function apply(code: string) {
  fireEvent.change(screen.getByLabelText('Discount code'), { target: { value: code } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Apply' })))
}
const wish = { firstName: 'Joost', email: 'joost@harbour.example', message: '', day: '25/12/2999' }

test('GIFT-02 GIFT-03 ROLE-13: a member can give a plan with a checkbox that is off by default', () => {
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: { id: 's1', plan: 4, status: 'active', canceledAt: null, validUntil: null },
    subscriptions: [],
  } as never)
  show(5)
  expect(toggle().checked).toBe(false)
  expect(screen.getByRole('button', { name: /^Subscribe, £/ })).toBeTruthy()
})

test('GIFT-04 PAY-43: only a gift asks for a recipient, and can’t be paid without one', async () => {
  show(5)
  expect(screen.queryByLabelText('Their email *')).toBeNull()
  await act(async () => fireEvent.click(toggle()))
  expect(screen.getByText('Blocked: Say who it’s for first.')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Their email *'), { target: { value: wish.email } })
  expect(screen.getByText('Blocked: no')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Pay now, £/ })).toBeTruthy()
  expect(screen.getByRole('complementary', { name: 'Your gift' })).toBeTruthy()
  await act(async () => fireEvent.click(toggle()))
  expect(screen.queryByLabelText('Their email *')).toBeNull()
  expect(screen.getByRole('button', { name: /^Subscribe, £/ })).toBeTruthy()
})

test('MEMB-47 MEMB-48: the summary shows how long a code applies, and the plan’s price after that', async () => {
  for (const [plan, discountDuration, discountDurationMonths, words] of [
    [4, 'repeating', 3, 'This price holds for 3 months, then it’s £8.00 a month. Cancel whenever you like.'],
    [
      4,
      'once',
      null,
      'This price is for the first month, then it’s £8.00 a month. Cancel whenever you like.',
    ],
    [5, 'repeating', 24, 'This price holds for 2 years, then it’s £80.00 a year. Cancel whenever you like.'],
    [
      5,
      'repeating',
      3,
      'This price is for the first year, then it’s £80.00 a year. Cancel whenever you like.',
    ],
    [4, 'forever', null, 'This price holds for as long as you stay. Cancel whenever you like.'],
  ] as const) {
    discount = { discountDuration, discountDurationMonths }
    show(plan)
    expect(screen.getByText(/^Renews at £80?\.00 a (month|year)\. Cancel whenever you like\.$/)).toBeTruthy()
    await apply('A-CODE')
    expect(await screen.findByText(words)).toBeTruthy()
    cleanup()
  }
})

const refusedWith = (code: string) => {
  const membership = { plan: 4, kind: 'plan' } as const
  rememberPayment({ order: 's1', secret: 'pi_1_secret_x', newUser: false, code, membership })
  giveUpPayment()
}

test('DISC-04: a plan’s code is applied again after a refused payment, and stays until it is removed', async () => {
  refusedWith('A-CODE')
  show(4)
  expect(await screen.findByText('Remove')).toBeTruthy()
  expect(screen.getByText('Total to pay today').nextSibling?.textContent).toBe('£6.00')
  // Another tab or a later visit: sessionStorage is empty.
  cleanup()
  sessionStorage.clear()
  show(4)
  fireEvent.click(await screen.findByText('Remove'))
  await screen.findByLabelText('Discount code')
  cleanup()
  show(4)
  await waitFor(() => expect(screen.getByText('Blocked: no')).toBeTruthy())
  expect(screen.getByText('Total to pay today').nextSibling?.textContent).toBe('£8.00')
})

test('a code from a refused payment that is no longer valid is reported as lost, with the new total', async () => {
  refusedWith('A-CODE')
  valid = false
  show(4)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Your code A-CODE couldn’t be applied again: This discount code was already used. The total is now £8.00.',
  )
})

test('ignores the response about a code for a plan that is no longer selected', async () => {
  writeGiftDraft(wish)
  show(1, 'xmas')
  await apply('A-CODE')
  const answers = new Map<string, () => void>()
  hold = (plan) => new Promise((resolve) => answers.set(plan, resolve))
  const plans = screen.getAllByRole('radio')
  await act(async () => fireEvent.click(plans[1]!))
  await act(async () => fireEvent.click(plans[0]!))
  await act(async () => answers.get('1')!())
  await act(async () => answers.get('2')!())
  expect(screen.getByText('Blocked: no')).toBeTruthy()
  expect(screen.getByText('Total to pay today').nextSibling?.textContent).toBe('£9.00')
})

test('PLAN-05: at Christmas the checkout offers both gift plans, too', async () => {
  writeGiftDraft(wish)
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

test('the checkout shows the recipient, and can change it', () => {
  writeGiftDraft(wish)
  show(5, 'gift')
  expect(screen.getByText('For Joost, joost@harbour.example')).toBeTruthy()
  expect(screen.getByText('Blocked: no')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Change/ }))
  expect(screen.getByLabelText<HTMLInputElement>('Their email *').value).toBe(wish.email)
})

test('GIFT-03: a member is told before entering a card that their own plan is changed elsewhere, but can give one', async () => {
  const current = { id: 's1', plan: 4, status: 'active', gift: false }
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: current,
    subscriptions: [],
  } as never)
  show(5)
  await screen.findByText('Blocked: You’re a member already.')
  expect(screen.getByText('Change your plan').getAttribute('href')).toBe('/subscription-details')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Send as a gift' }))
  await screen.findByText('Blocked: Say who it’s for first.')
  expect(screen.queryByText('Change your plan')).toBeNull()
  cleanup()
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, {
    currentSubscription: { ...current, gift: true },
    subscriptions: [],
  } as never)
  show(5)
  await screen.findByText('Blocked: no')
})
