// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { NO_DISCOUNT } from '#features/discounts/model.ts'
import { applyCode, useDiscount } from '#features/discounts/store.ts'
import { configureNet } from '#net/settings.ts'
import { OrderProblem } from './OrderProblem.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(cleanup)

test('ORDER-12: the order problem page removes a discount that was applied', async () => {
  const discount = {
    discount_code: 'WELCOME20',
    discount_type: 'all',
    relative_discount: 20,
    discount_amount: null,
    saved: 3,
    rounded: true,
  } as const
  configureNet({ exchange: async () => ({ uuid: 'c1', discount }) })
  await applyCode('welcome20', { cartId: () => 'c1', heard: async () => undefined })
  expect(useDiscount.getState().discountCode).toBe('WELCOME20')
  render(<OrderProblem />)
  screen.getByRole('heading', { name: 'Oops, looks like there was a problem with order confirmation' })
  expect(useDiscount.getState()).toEqual(NO_DISCOUNT)
})
