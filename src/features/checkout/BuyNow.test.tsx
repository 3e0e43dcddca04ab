// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Cart } from '#contract/bag.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser } from '#session/store.ts'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { BuyBagNow, BuyNow } from './BuyNow.tsx'
import { pendingPayment } from './store.ts'

vi.mock('#net/call.ts', () => ({ call: vi.fn() }))
vi.mock('#session/session.ts', () => ({ reloadUser: vi.fn(async () => undefined) }))
const navigate = vi.fn()
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  createLink: (As: React.ComponentType) => As,
}))

const ferry = {
  entityType: 'audioBook',
  slug: 'the-quiet-ferry',
  title: 'The Quiet Ferry',
  price: 8.8,
  subscriptionPrice: 8.8,
} as unknown as BookCard
const card = { id: 'c1', brand: 'visa', last4: '4242' }

let answer: () => unknown
beforeEach(() => {
  sessionStorage.clear()
  navigate.mockReset()
  vi.mocked(call).mockReset()
  vi.mocked(call).mockImplementation((async (name: string) =>
    name === 'POST /api/buy_now' ? answer() : { items: [], itemCount: 0 }) as never)
  becomeUser({ uuid: 'u1', firstName: 'Una', fullName: 'Una Reed' }, null)
})
afterEach(cleanup)

const presses = () => vi.mocked(call).mock.calls.filter(([name]) => name === 'POST /api/buy_now')
const press = () => {
  render(<BuyNow book={ferry} card={card} />)
  const button = screen.getByRole('button', { name: 'Buy now, £8.80 · Visa ending 4242' })
  fireEvent.click(button)
  fireEvent.click(button)
}

test('paying: one press sends the price and the sentence that are shown, once', async () => {
  answer = () => ({ outcome: 'paid', order: 'o1', clientSecret: null })
  press()
  await soon(() => expect(presses()).toHaveLength(1))
  const sentence = 'It’s yours at once, so you can’t cancel afterwards.'
  expect(presses()[0]![1]).toEqual({
    body: {
      format: 'audio_book',
      slug: 'the-quiet-ferry',
      amount: 8.8,
      paymentMethod: 'c1',
      consent: sentence,
    },
  })
  expect(screen.getByText(sentence, { exact: false })).toBeTruthy()
  expect(navigate).not.toHaveBeenCalled()
})

test('paying: only if the bank asks does the checkout open, with that payment and the way back', async () => {
  answer = () => ({ outcome: 'authenticate', order: 'o1', clientSecret: 'pi_1_secret_2' })
  press()
  await soon(() =>
    expect(navigate).toHaveBeenCalledWith({
      to: '/payment',
      search: { authenticate: '/audiobooks/the-quiet-ferry' },
    }),
  )
  expect(pendingPayment()).toMatchObject({ order: 'o1', secret: 'pi_1_secret_2' })
})

test.each([
  [
    'refused',
    () => ({ outcome: 'refused', order: 'o1', clientSecret: 's', refusal: 'insufficient_funds' }),
    'There isn’t enough money on this card. Nothing has been charged.',
  ],
  [
    'offline',
    () => Promise.reject(new NetProblem('offline', 0)),
    'Check your connection and try again. You won’t be charged twice.',
  ],
])('paying: a press that ends %s says why, and leaves another way to pay', async (_, given, words) => {
  answer = given
  press()
  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(screen.getByRole('button', { name: 'Pay another way' })).toBeTruthy()
})

test('paying: one press pays for the bag with its code, and leads to its order', async () => {
  const cart = {
    uuid: 'b1',
    items: [{ gift: false }, { gift: false }],
    sumCheckedForPayment: 22.98,
    discount: { discount_code: 'FIFTH' },
  } as unknown as Cart
  vi.mocked(call).mockImplementation((async () => ({
    outcome: 'paid',
    order: 'o1',
    clientSecret: null,
  })) as never)
  render(<BuyBagNow cart={cart} card={card} reason={undefined} />)
  const button = screen.getByRole('button', { name: 'Pay now, £22.98 · Visa ending 4242' })
  fireEvent.click(button)
  fireEvent.click(button)
  await soon(() =>
    expect(navigate).toHaveBeenCalledWith({
      to: '/payment-successful',
      state: { newUser: false, order: 'o1' },
    }),
  )
  const consent = 'They’re yours at once, so you can’t cancel afterwards.'
  expect(screen.getByText(consent, { exact: false })).toBeTruthy()
  expect(vi.mocked(call).mock.calls).toEqual([
    [
      'POST /api/carts/{id}/buy_now',
      {
        params: { id: 'b1' },
        body: { couponCode: 'FIFTH', amount: 22.98, paymentMethod: 'c1', consent },
      },
    ],
  ])
})
