// @vitest-environment happy-dom
import { act, cleanup, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { User } from '#contract/account.ts'
import { connectivity } from '#net/connectivity.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { renderInApp } from '#tests/support/player-screen.tsx'
import { useFailedPayment } from './failed-payment.ts'
import { PaymentFailed } from './PaymentFailed.tsx'

const OWNER = { uuid: 'u1', firstName: 'Lou', fullName: 'Lou Brandt' }
const FAILED = { id: 's1', paymentFailed: true, amount: 8, benefitsUntil: '2036-12-02T09:00:00.000Z' }
const session = (subscriptions: User['subscriptions']) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these fields are read
  act(() => becomeUser(OWNER, { uuid: 'u1', subscriptions } as User))
const known = () => renderHook(useFailedPayment).result.current

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  connectivity.note(true)
  connectivity.stop()
})

test('HDR-12: the line says what happened, until when member prices stay, and leads to a new card', () => {
  renderInApp(<PaymentFailed failed={FAILED} />)
  const line = screen.getByRole('complementary', { name: 'Payment failed' })
  expect(line.textContent).toContain(
    'Your bank declined £8.00. Your books are safe, and member prices stay until 2nd December.',
  )
  expect(screen.getByRole('link', { name: 'Use a new card' }).getAttribute('href')).toBe(
    '/payment?update-card=1&subscription=s1',
  )
})

test('HDR-12: after the days of grace it says what waits', () => {
  renderInApp(<PaymentFailed failed={{ ...FAILED, benefitsUntil: '2016-12-02T09:00:00.000Z' }} />)
  expect(screen.getByText(/Your books are safe. Member prices wait until it’s paid./)).toBeTruthy()
})

test('HDR-12: without a network it says when the payment can be made', () => {
  renderInApp(<PaymentFailed failed={FAILED} />)
  act(() => connectivity.lost())
  expect(screen.getByText('You can pay when you’re back online.')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('HDR-12: a device remembers it for the time without a network, and forgets it when paid or logged out', () => {
  session([FAILED])
  renderInApp(<PaymentFailed failed={known()!} />)
  expect(document.documentElement.dataset.owes).toBe('')

  act(() => becomeUser(OWNER, null))
  expect(known()).toEqual(FAILED)
  session([{ id: 's1', paymentFailed: false }])
  expect(known()).toBeUndefined()
  expect(document.documentElement.dataset.owes).toBeUndefined()

  session([FAILED])
  renderInApp(<PaymentFailed failed={known()!} />)
  act(() => becomeVisitor())
  expect(known()).toBeUndefined()
  act(() => becomeUser(OWNER, null))
  expect(known()).toBeUndefined()
})
