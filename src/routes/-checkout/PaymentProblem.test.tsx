// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { render } from '#tests/support/render.tsx'
import type {} from '#app/page/history-state.ts'
import { PaymentProblem } from './PaymentProblem.tsx'

const location = { state: { secret: 'pi_1_secret_x' } as { secret?: string } }
vi.mock('@tanstack/react-router', () => ({
  useRouterState: ({ select }: { select: (state: object) => unknown }) => select({ location }),
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#app/problems/GoInstead.tsx', () => ({ GoInstead: ({ to }: { to: string }) => <p>Goes to {to}</p> }))

const exchange = vi.fn()
beforeEach(() => {
  location.state = { secret: 'pi_1_secret_x' }
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeUser({ uuid: 'u1' } as never, null)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const NOTHING = /Nothing has been charged/

test.each([
  ['declined', 'Your bank declined the payment.'],
  ['insufficient_funds', 'There isn’t enough money on this card.'],
  ['expired_card', 'This card has expired.'],
])('PAY-28: a payment refused as %s says why, and that nothing was charged', async (refusal, why) => {
  exchange.mockResolvedValue({ outcome: 'refused', order: null, refusal })
  render(<PaymentProblem proof={{}} />)
  const words = await screen.findByText(NOTHING)
  expect(words.textContent).toBe(`${why} Nothing has been charged. Please try again or another card.`)
})

test('claims no outcome of a payment if it is unknown', async () => {
  exchange.mockRejectedValueOnce(new NetProblem('offline', 0))
  render(<PaymentProblem proof={{}} />)
  await screen.findByRole('heading', { name: 'We don’t know yet whether your payment went through.' })
  expect(screen.queryByText(NOTHING)).toBeNull()
  exchange.mockResolvedValue({ outcome: 'paid', order: 'o1' })
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByRole('heading', { name: 'Your payment went through.' })
})

test.each([
  ['offline', 'Check your connection, then check again. You won’t be charged twice.'],
  ['online', 'We can’t find out just now. Wait a minute, then check again. You won’t be charged twice.'],
] as const)(
  'a connection is blamed for an unknown payment only while it is gone: %s',
  async (state, words) => {
    vi.spyOn(connectivity, 'snapshot').mockReturnValue(state)
    exchange.mockRejectedValue(new NetProblem('server', 503))
    render(<PaymentProblem proof={{}} />)
    const said = await screen.findByText(/then check again/)
    expect(said.textContent).toBe(words)
  },
)

test('claims nothing about money before a payment, or for an id that is not a payment', async () => {
  location.state = {}
  render(<PaymentProblem proof={{}} />)
  await screen.findByText('Please try again or another card.')
  expect(screen.queryByText(NOTHING)).toBeNull()
  cleanup()
  exchange.mockRejectedValue(new NetProblem('refused', 404))
  render(<PaymentProblem proof={{ payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_2' }} />)
  await screen.findByText('Please try again or another card.')
  expect(screen.queryByText(NOTHING)).toBeNull()
})

test('a membership that was paid after all is shown as active, without mentioning books', async () => {
  exchange.mockResolvedValue({ outcome: 'paid', order: null, subscription: 's1' })
  render(<PaymentProblem proof={{}} />)
  await screen.findByText('You’re a member.')
  expect(screen.getByText('Your membership')).toBeTruthy()
})

test('ROLE-22: a visitor is refused, but learns the outcome with the payment’s own proof', async () => {
  becomeVisitor()
  location.state = {}
  render(<PaymentProblem proof={{}} />)
  expect(screen.getByText('Goes to /access-denied')).toBeTruthy()
  cleanup()
  exchange.mockResolvedValue({ outcome: 'paid', order: 'o1' })
  render(<PaymentProblem proof={{ payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_2' }} />)
  await screen.findByRole('heading', { name: 'Your payment went through.' })
  cleanup()
  // The secret of another payment proves nothing.
  exchange.mockRejectedValue(new NetProblem('refused', 404))
  render(<PaymentProblem proof={{ payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_3' }} />)
  await screen.findByRole('heading', { name: 'Oops, looks like there was a problem with your payment.' })
})
