// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser } from '#session/store.ts'
import { announced } from '#ui/announce.ts'
import { soon } from '#tests/support/wait-for.ts'
import { GiftCode, WaitingMemberships } from './WaitingGifts.tsx'

vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, children }: { to: string; search?: object; children?: ReactNode }) => (
    <a href={`${to}${JSON.stringify(search ?? {})}`}>{children}</a>
  )
  return { Link, createLink: () => Link }
})

const CODE = 'gift-2345-6789'
const STARTS = '2027-03-03T10:00:00.000Z'
const gift = {
  id: 'g1',
  plan: 4,
  giverName: 'Nell Hart',
  giftRecipientFirstName: 'Joost',
  giftMessage: 'For the long drives home.',
  state: 'unclaimed',
  startsAt: null,
} as MembershipGift

let waiting: MembershipGift[]
let asked: string[]
beforeEach(() => {
  waiting = []
  asked = []
  configureNet({
    exchange: async ({ method, path }: Exchange) => {
      if (path === '/api/subscriptions/gifts') return { 'hydra:member': waiting }
      if (path === `/api/gifts/claim/${CODE}`) return { kind: 'subscriptions' }
      if (!path.startsWith('/api/subscriptions/')) throw new NetProblem('refused', 404, {})
      if (method === 'GET') return gift
      asked.push(path)
      waiting = [{ ...gift, state: 'waiting', startsAt: STARTS }]
      return waiting[0]
    },
    tokens: { read: async () => null },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeUser({ uuid: 'u1', firstName: 'Joost', fullName: 'Joost Vos' }, {
    uuid: 'u1',
    subscriptions: [],
  } as never)
})
afterEach(cleanup)

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WaitingMemberships />
      <GiftCode />
    </QueryClientProvider>,
  )
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const region = () => screen.findByRole('region', { name: 'A gift is waiting for you' })

test('trap 23: the code in the email can be typed if its link would open elsewhere; a member sees when the gift begins', async () => {
  show()
  await press('Use a gift code')
  await userEvent.type(screen.getByLabelText('Gift code'), ` ${CODE} `)
  await press('Claim')
  const its = within(await region())
  its.getByText('It starts automatically on 3rd March 2027, when your own membership ends.')
  its.getByText(gift.giftMessage!)
  expect(asked).toEqual([`/api/subscriptions/claim/${CODE}`])
  await soon(() =>
    expect(announced().polite).toContain(
      'A month of Reader is kept for you. It starts automatically on 3rd March 2027',
    ),
  )
  expect(screen.queryByLabelText('Gift code')?.closest('form')?.hidden).toBe(true)
})

test('an unknown code is reported, and stays in the field', async () => {
  show()
  await press('Use a gift code')
  await userEvent.type(screen.getByLabelText('Gift code'), 'WRONG-2345')
  await press('Claim')
  await screen.findByText('We don’t know this code. Please check for typos and try again.')
  expect(screen.getByLabelText<HTMLInputElement>('Gift code').value).toBe('WRONG-2345')
  expect(asked).toEqual([])
})

test('"Unwrap" opens the same page as the link in the email, and claims nothing yet', async () => {
  waiting = [gift]
  show()
  const its = within(await region())
  its.getByText(gift.giftMessage!)
  expect(its.getByText('Unwrap').getAttribute('href')).toBe('/get-subscription{"gift":"g1"}')
  expect(asked).toEqual([])
})
