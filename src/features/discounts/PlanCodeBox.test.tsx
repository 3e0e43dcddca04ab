// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { PlanCodeBox } from './PlanCodeBox.tsx'

const exchange = vi.fn()
const onChange = vi.fn()
beforeEach(() => {
  vi.resetAllMocks()
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
})
afterEach(cleanup)

function apply(code: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlanCodeBox plan={4} applied={undefined} onChange={onChange} onLooking={() => undefined} />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByLabelText('Discount code'), { target: { value: code } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
}

test('DISC-07: a code that is unknown, or not for this plan, is said not to be valid, and nothing is applied', async () => {
  exchange.mockRejectedValueOnce(new NetProblem('refused', 404, {}))
  apply('NOSUCHCODE')
  await screen.findByText('This discount code is not valid')
  cleanup()
  exchange.mockResolvedValueOnce({ valid: false, message: 'This discount code is not valid' })
  apply('YEARLY25')
  await screen.findByText('This discount code is not valid')
  expect(onChange).not.toHaveBeenCalled()
})

test('a code that holds is handed on as the shop knows it, with what it does', async () => {
  const discount = { valid: true, plan: 4, discountPrice: 4, vat: 0.67 }
  exchange.mockResolvedValueOnce(discount)
  apply(' member50 ')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith({ code: 'MEMBER50', discount }))
})
