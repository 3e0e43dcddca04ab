// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { bagKey, currentBag } from '#features/bag/queries.ts'
import { bagHolder } from '#features/bag/store.ts'
import { applyCode } from '#features/discounts/codes.ts'
import { configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { OrderProblem } from './PaymentProblem.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(cleanup)

const show = (client: QueryClient) =>
  render(
    <QueryClientProvider client={client}>
      <OrderProblem />
    </QueryClientProvider>,
  )

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
  const queryClient = new QueryClient()
  becomeVisitor()
  queryClient.setQueryData(bagKey(bagHolder()), { uuid: 'c1' })
  await applyCode(queryClient, 'welcome20')
  expect(currentBag(queryClient)?.discount).toEqual(discount)
  show(queryClient)
  screen.getByRole('heading', { name: 'Oops, looks like there was a problem with order confirmation' })
  expect(currentBag(queryClient)).toBeNull()
})

test('ORDER-03: the page explains the problem, and links to the library, the questions and help', () => {
  show(new QueryClient())
  screen.getByRole('heading', { name: 'Oops, looks like there was a problem with order confirmation' })
  const ways = ['Go to your library', 'Questions and answers', 'Ask for help'].map((words) => {
    const link = screen.getByText(words).closest('[to]')!
    return [link.getAttribute('to'), link.getAttribute('params')]
  })
  expect(ways).toEqual([
    ['/library', null],
    ['/faq', null],
    ['/info/$slug', expect.anything()],
  ])
})
