// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { soon } from '#tests/support/wait-for.ts'
import { PlanCodeBox } from './CodeBox.tsx'

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
      <PlanCodeBox plan={4} applied={undefined} onChange={onChange} />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByLabelText('Discount code'), { target: { value: code } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
}

test('DISC-07: an unknown code, or one for another plan, is reported as invalid and not applied', async () => {
  exchange.mockRejectedValueOnce(new NetProblem('refused', 404, {}))
  apply('NOSUCHCODE')
  await screen.findByText('This discount code is not valid')
  cleanup()
  exchange.mockResolvedValueOnce({ valid: false, message: 'This discount code is not valid' })
  apply('YEARLY25')
  await screen.findByText('This discount code is not valid')
  expect(onChange).not.toHaveBeenCalled()
})

test('passes on a valid code as the server writes it, with its effect', async () => {
  const discount = { valid: true, plan: 4, discountPrice: 4, vat: 0.67 }
  exchange.mockResolvedValueOnce(discount)
  apply(' member50 ')
  await soon(() => expect(onChange).toHaveBeenCalledWith({ code: 'MEMBER50', discount }))
})

test('the focus stays in the code box when a code is applied or removed', async () => {
  const discount = { valid: true, plan: 4, discountPrice: 4, vat: 0.67, relative_discount: 50 }
  exchange.mockResolvedValue(discount)
  function Checkout() {
    const [applied, setApplied] = useState<Parameters<typeof PlanCodeBox>[0]['applied']>()
    return <PlanCodeBox plan={4} applied={applied} onChange={setApplied} />
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Checkout />
    </QueryClientProvider>,
  )
  expect(document.activeElement).toBe(document.body)
  fireEvent.change(screen.getByLabelText('Discount code'), { target: { value: 'MEMBER50' } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
  const remove = await screen.findByRole('button', { name: 'Remove code MEMBER50' })
  expect(document.activeElement?.contains(remove)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
  fireEvent.click(remove)
  const field = await screen.findByLabelText('Discount code')
  expect(document.activeElement).toBe(field)
})
