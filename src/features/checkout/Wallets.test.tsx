// @vitest-environment happy-dom
import type { Stripe } from '@stripe/stripe-js'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { EMAIL_TAKEN } from './pay.ts'
import { personOf, Wallets, type WalletsProps } from './Wallets.tsx'

afterEach(cleanup)

/** A stand-in for Stripe's element; the test acts as the browser and the buyer. */
function fakeStripe() {
  const listeners = new Map<string, (event: object) => void>()
  const element = {
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    mount: vi.fn(),
    destroy: vi.fn(),
  }
  const elements = {
    create: vi.fn(() => element),
    update: vi.fn(async () => undefined),
    submit: vi.fn(async () => ({})),
  }
  const stripe = { elements: vi.fn(() => elements) }
  return {
    stripe: stripe as unknown as Stripe,
    spies: { ...elements, elements: stripe.elements },
    say: (name: string, event: object = {}) => act(async () => listeners.get(name)?.(event)),
  }
}

function open(given: Partial<WalletsProps> = {}) {
  const fake = fakeStripe()
  const props = {
    stripe: fake.stripe,
    offer: { mode: 'payment', amountMinor: 1100, consent: 'It’s yours at once.' },
    visitor: true,
    blocked: undefined,
    country: 'GB',
    pay: vi.fn(async () => undefined),
    onKnown: vi.fn(),
    onLogIn: vi.fn(),
    ...given,
  } satisfies WalletsProps
  const { rerender } = render(<Wallets {...props} />)
  return { ...fake, props, rerender }
}
const person = { name: 'Robin Ann Wallis', email: 'robin@wallet.example', address: { country: 'IE' } }

test('paying: a browser without wallets shows nothing of them', async () => {
  const { say, props } = open()
  await say('ready', { availablePaymentMethods: undefined })
  expect(props.onKnown).toHaveBeenCalledWith(false)
  expect(screen.getByRole('region', { name: 'Pay with a wallet' }).textContent).toBe('')
})

test('paying: a wallet says who its buyer is, and only a visitor is asked', async () => {
  const { say, props, spies } = open()
  await say('ready', { availablePaymentMethods: { applePay: true } })
  screen.getByText('It’s yours at once.')
  const resolve = vi.fn()
  await say('click', { resolve, reject: vi.fn() })
  expect(resolve).toHaveBeenCalledWith(
    expect.objectContaining({ emailRequired: true, billingAddressRequired: true }),
  )
  await say('confirm', { billingDetails: person, paymentFailed: vi.fn() })
  await soon(() => expect(props.pay).toHaveBeenCalledOnce())
  expect(spies.submit).toHaveBeenCalledOnce()
  expect(props.pay).toHaveBeenCalledWith(
    expect.objectContaining({
      person: { email: person.email, firstName: 'Robin Ann', lastName: 'Wallis', countryCode: 'IE' },
    }),
  )
  cleanup()
  const known = open({ visitor: false })
  await known.say('click', { resolve, reject: vi.fn() })
  expect(resolve).toHaveBeenLastCalledWith(
    expect.objectContaining({ emailRequired: false, billingAddressRequired: false }),
  )
  await known.say('confirm', { paymentFailed: vi.fn() })
  await soon(() =>
    expect(known.props.pay).toHaveBeenCalledWith(expect.objectContaining({ person: undefined })),
  )
})

test('paying: nothing opens while a code is checked, and the page says why', async () => {
  const { say } = open({ blocked: 'We’re checking your discount code.' })
  await say('ready', { availablePaymentMethods: { link: true } })
  const [resolve, reject] = [vi.fn(), vi.fn()]
  await say('click', { resolve, reject })
  expect([resolve.mock.calls.length, reject.mock.calls.length]).toEqual([0, 1])
  expect(screen.getByRole('alert').textContent).toBe('We’re checking your discount code.')
})

test('paying: an address with an account leads to the log-in, and the wallet is told that nothing was paid', async () => {
  const { say, props } = open({ pay: vi.fn(async () => EMAIL_TAKEN) })
  await say('ready', { availablePaymentMethods: { link: true } })
  const paymentFailed = vi.fn()
  await say('confirm', { billingDetails: person, paymentFailed })
  await soon(() => expect(screen.getByRole('alert').textContent).toContain(EMAIL_TAKEN))
  expect(paymentFailed).toHaveBeenCalledOnce()
  screen.getByRole('button', { name: 'Log in' }).click()
  expect(props.onLogIn).toHaveBeenCalledOnce()
})

test('paying: the wallet’s sum follows a code without a new element, which would close its sheet', async () => {
  const { rerender, props, spies } = open()
  rerender(<Wallets {...props} offer={{ ...props.offer, amountMinor: 900 }} />)
  await soon(() => expect(spies.update).toHaveBeenLastCalledWith({ amount: 900 }))
  expect(spies.create).toHaveBeenCalledOnce()
})

test.each([
  ['Robin Wallis', { firstName: 'Robin', lastName: 'Wallis' }],
  ['  Robin   Ann  Wallis ', { firstName: 'Robin Ann', lastName: 'Wallis' }],
  ['Robin', { firstName: 'Robin' }],
  ['J Wallis', { firstName: 'J Wallis' }],
  ['Robin W', { firstName: 'Robin W' }],
])('paying: the name “%s” of a wallet becomes one of ours', (name, names) => {
  expect(personOf({ billingDetails: { name, email: 'r@w.example' } }, 'GB')).toEqual({
    email: 'r@w.example',
    countryCode: 'GB',
    ...names,
  })
})

test('paying: a wallet without a name or an email makes no account', () => {
  expect(personOf({}, 'GB')).toBeNull()
  expect(personOf({ billingDetails: { name: 'Robin Wallis' } }, 'GB')).toBeNull()
})
