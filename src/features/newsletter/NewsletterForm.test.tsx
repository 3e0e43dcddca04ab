// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { render } from '#tests/support/render.tsx'
import { NewsletterForm } from './NewsletterForm.tsx'

const THANKS = 'Thank you for subscribing to our newsletter.'
const exchange = vi.fn<(asked: Exchange) => Promise<unknown>>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  exchange.mockReset().mockResolvedValue({})
  configureNet({ exchange })
  render(<NewsletterForm />)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const field = () => screen.getByLabelText<HTMLInputElement>('Your email')
const type = (email: string) => fireEvent.change(field(), { target: { value: email } })
const passed = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const subscribe = async (email: string) => {
  type(email)
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }))
  await passed(0)
}

test('INFO-05: the thanks are shown for ten seconds, again after another subscription', async () => {
  await subscribe(' hana@murmur.example ')
  expect(exchange.mock.lastCall![0]).toMatchObject({
    method: 'POST',
    path: '/api/newsletters',
    json: { email: 'hana@murmur.example' },
  })
  expect(field().value).toBe('')
  await passed(9)
  expect(screen.getByText(THANKS)).toBeTruthy()
  await subscribe('jory@murmur.example')
  await passed(9.9)
  expect(screen.getByText(THANKS)).toBeTruthy()
  await passed(0.2)
  expect(screen.queryByText(THANKS)).toBeNull()
})

test('INFO-04: an invalid address is reported at its field, which gets the focus, until it is valid', async () => {
  await subscribe('')
  expect(screen.getByText('Email is required')).toBeTruthy()
  expect(document.activeElement).toBe(field())
  type('hana at whitby')
  expect(screen.getByText('Email must be valid')).toBeTruthy()
  type('hana@murmur.example')
  expect(screen.queryByText('Email must be valid')).toBeNull()
  expect(exchange).not.toHaveBeenCalled()
  // An error that only the server finds has the same message.
  exchange.mockRejectedValue(new NetProblem('refused', 422))
  await subscribe('<hana>@murmur.example')
  expect(screen.getByText('Email must be valid')).toBeTruthy()
})

test.each([
  ['a broken shop', new NetProblem('server', 500)],
  ['no answer', new NetProblem('offline', 0)],
])('ERR-15: %s is said, and the address stays', async (_what, problem) => {
  exchange.mockRejectedValue(problem)
  await subscribe('hana@murmur.example')
  expect(screen.getByText('Something went wrong, please try again later')).toBeTruthy()
  expect(field().value).toBe('hana@murmur.example')
  exchange.mockResolvedValue({})
  await subscribe('hana@murmur.example')
  expect(screen.getByText(THANKS)).toBeTruthy()
})
