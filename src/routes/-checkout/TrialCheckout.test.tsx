// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Purchase } from '#features/checkout/purchase.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { TrialCheckout } from './TrialCheckout.tsx'

interface Drawn {
  purchase?: Purchase
  logIn?: boolean
  notice?: ReactNode
  summary: ReactNode
}
vi.mock('./MembershipCheckout.tsx', () => ({
  MembershipCheckout: ({ purchase, notice, summary, logIn = true }: Drawn) => (
    <>
      {notice}
      {summary}
      {purchase && <button type="button">{purchase.label}</button>}
      {logIn && <p>Already have an account?</p>}
      <p>Blocked: {purchase?.blocked ?? 'no'}</p>
    </>
  ),
}))
afterEach(cleanup)

function open(search: { code?: string }, answer: () => unknown = () => ({ valid: true })) {
  const exchange = vi.fn(async ({ path }: { path: string }) =>
    path.endsWith('/plan_prices') ? { plans: [] } : answer(),
  )
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TrialCheckout search={search} />
    </QueryClientProvider>,
  )
}
const REFUSED = 'No discount applied! Full price will be charged!'
const GRANTED = 'Rest assured no payment will be taken for the first month.'

test('ERR-08: a promotion with an invalid code says so, and the button shows the full price', async () => {
  open({ code: 'NOSUCHCODE' }, () => {
    throw new NetProblem('refused', 404, {})
  })
  await screen.findByText(REFUSED)
  expect(screen.getByRole('button', { name: 'Subscribe, £8.00' })).toBeTruthy()
  expect(screen.getByText('Total to pay today').nextSibling?.textContent).toBe('£8.00')
  cleanup()
  open({ code: 'OVER' }, () => ({ valid: false, message: 'This discount code is not valid' }))
  await screen.findByText(REFUSED)
})

test('ERR-09 PAY-06: a valid code says that nothing is charged for a month; without a code there is no notice', async () => {
  open({ code: 'PROMOTRIAL' })
  await screen.findByText(GRANTED)
  expect(screen.getByText('Total to pay today').nextSibling?.textContent).toBe('£0.00')
  // PAY-06: the promotion alone does not offer a log-in.
  expect(screen.queryByText('Already have an account?')).toBeNull()
  cleanup()
  open({})
  expect(screen.getByText('Already have an account?')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Start my free trial' })).toBeTruthy()
  expect([screen.queryByText(GRANTED), screen.queryByText(REFUSED)]).toEqual([null, null])
})

test('a code whose check failed is neither accepted nor refused, and is checked again', async () => {
  let reached = false
  open({ code: 'PROMOTRIAL' }, () => {
    if (reached) return { valid: true }
    throw new NetProblem('offline', 0)
  })
  await screen.findByText(/We couldn’t check your code PROMOTRIAL/)
  expect(screen.queryByText(REFUSED)).toBeNull()
  expect(screen.getByText('Blocked: We haven’t checked your code yet.')).toBeTruthy()
  reached = true
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(GRANTED)
  expect(screen.getByText('Blocked: no')).toBeTruthy()
})
