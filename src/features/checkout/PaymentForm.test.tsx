// @vitest-environment happy-dom
import type { Stripe } from '@stripe/stripe-js'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from '#tests/support/render.tsx'
import { forgetDraft, recallDraft, useCheckoutDraft } from './store.ts'
import { PaymentForm } from './PaymentForm.tsx'
import { useCard } from './CardFields.tsx'

type Listener = (event: { complete: boolean; error?: undefined }) => void
let frames: Map<string, { box?: HTMLElement; on: Map<string, Listener>; focus: () => void }>

const stripe = {
  elements: () => ({
    create: (part: string) => {
      const frame = { on: new Map<string, Listener>(), focus: vi.fn() } as {
        box?: HTMLElement
        on: Map<string, Listener>
        focus: () => void
      }
      frames.set(part, frame)
      return {
        on: (event: string, hear: Listener) => frame.on.set(event, hear),
        mount: (box: HTMLElement) => {
          frame.box = box
          frame.on.get('ready')?.({ complete: false })
        },
        update: () => undefined,
        destroy: () => delete frame.box,
        focus: frame.focus,
      }
    },
  }),
} as unknown as Stripe

beforeEach(() => {
  frames = new Map()
  vi.stubGlobal('matchMedia', () => ({ addEventListener() {}, removeEventListener() {} }))
  forgetDraft()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Props = Partial<Parameters<typeof PaymentForm>[0]>
function Checkout(props: Props) {
  const card = useCard(stripe)
  return (
    <PaymentForm
      visitor={false}
      methods={['card', 'paypal']}
      waiver="I want my books at once."
      card={card}
      providerReady
      refusal={undefined}
      label="Pay now"
      note={() => ''}
      onPay={async () => undefined}
      {...props}
    />
  )
}

const payNow = () => screen.getByRole('button', { name: /Pay now|Complete free order|Ups! Error!/ })
const reason = () => document.getElementById(payNow().getAttribute('aria-describedby') ?? '')?.textContent
const standing = () => [...frames.values()].filter(({ box }) => box && document.body.contains(box))
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('PAY-36: the three card frames stay mounted while a code makes the bag free and after it is removed', () => {
  const { rerender } = render(<Checkout />)
  expect(standing()).toHaveLength(3)
  rerender(<Checkout methods={[]} waiver={undefined} label="Complete free order" />)
  expect(screen.queryByLabelText('Name on card')?.closest('fieldset')?.hidden).toBe(true)
  expect(reason()).toBeUndefined()
  rerender(<Checkout />)
  expect(standing()).toHaveLength(3)
  expect(screen.getByLabelText('Name on card').closest('fieldset')?.hidden).toBe(false)
  type('Name on card', 'Ada Novak')
  fireEvent.click(screen.getByRole('checkbox'))
  act(() => {
    for (const { on } of frames.values()) on.get('change')?.({ complete: true })
  })
  expect(payNow().getAttribute('aria-disabled')).toBeNull()
})

test('paying: the box that saves the card is empty at first, kept for another try, and only for an account', () => {
  const box = () => screen.queryByRole('checkbox', { name: /^Save this card for next time/ })
  const { unmount } = render(<Checkout savesCard />)
  expect(box()).toHaveProperty('checked', false)
  fireEvent.click(box()!)
  unmount()
  recallDraft()
  render(<Checkout savesCard />)
  expect(box()).toHaveProperty('checked', true)
  cleanup()
  forgetDraft()
  const account = 'Make me an account'
  render(<Checkout savesCard visitor account={account} />)
  expect(box()).not.toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: account }))
  expect(box()).toBeNull()
  cleanup()
  render(<Checkout />)
  expect(box()).toBeNull()
})

test('paying: what is known is filled in: the name on the card is the buyer’s, unless another was typed', () => {
  const onCard = () => screen.getByLabelText<HTMLInputElement>('Name on card').value
  render(<Checkout name="Una Reed" />)
  expect(onCard()).toBe('Una Reed')
  cleanup()
  forgetDraft()
  render(<Checkout visitor />)
  type('First name', 'Ada')
  fireEvent.blur(screen.getByLabelText('First name'))
  expect(onCard()).toBe('')
  type('Last name', 'Novak')
  fireEvent.blur(screen.getByLabelText('Last name'))
  expect(onCard()).toBe('Ada Novak')
  type('Name on card', 'A. M. Novak')
  type('Last name', 'Novaková')
  fireEvent.blur(screen.getByLabelText('Last name'))
  expect(onCard()).toBe('A. M. Novak')
})

test('after PayPal refuses, the form returns with PayPal selected and every field as it was', () => {
  render(<Checkout visitor account="Make me an account" />)
  fireEvent.click(screen.getByRole('radio', { name: 'PayPal' }))
  for (const box of ['Make me an account', 'I want my books at once.'])
    fireEvent.click(screen.getByRole('checkbox', { name: box }))
  cleanup()
  recallDraft()
  render(<Checkout visitor account="Make me an account" />)
  const isOn = (role: 'radio' | 'checkbox', name: string) =>
    screen.getByRole(role, { name }).matches(':checked, [aria-checked="true"]')
  expect(isOn('radio', 'PayPal')).toBe(true)
  expect(isOn('checkbox', 'Make me an account')).toBe(false)
  expect(isOn('checkbox', 'I want my books at once.')).toBe(true)
  cleanup()
  // A different waiver text needs a new agreement.
  render(<Checkout visitor account="Make me an account" waiver="Send my gift at once." />)
  expect(isOn('checkbox', 'Send my gift at once.')).toBe(false)
})

test('shows on blur that a visitor’s address has an account, with a link to log in', async () => {
  const isKnown = vi.fn(async (email: string) => email === 'nell@harbour.example')
  const onLogIn = vi.fn()
  render(<Checkout visitor isKnown={isKnown} onLogIn={onLogIn} />)
  const leave = async (email: string) => {
    type('Email', email)
    await act(async () => fireEvent.blur(screen.getByLabelText('Email')))
  }
  await leave('nell@')
  await leave('ada@harbour.example')
  expect(isKnown.mock.calls).toEqual([['ada@harbour.example']])
  expect(screen.queryByText(/already exists with a user account/)).toBeNull()
  await leave('nell@harbour.example')
  expect(screen.getByText('This email already exists with a user account, please sign in')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
  expect(onLogIn).toHaveBeenCalledTimes(1)
  type('Email', 'nel@harbour.example')
  expect(screen.queryByText(/already exists with a user account/)).toBeNull()
})

test('preselects the country of the browser’s language if the shop sells there', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB'])
  const country = () => useCheckoutDraft.getState().countryCode
  render(<Checkout visitor />)
  expect(country()).toBe('GB')
  cleanup()
  forgetDraft()
  render(<Checkout visitor among={['DE', 'FR']} />)
  expect(country()).toBe('')
  cleanup()
  forgetDraft()
  render(<Checkout visitor among={['DE', 'FR']} here="DE" />)
  expect(country()).toBe('DE')
})

test('PAY-18: the reason under Pay names the missing or invalid field and links to it', async () => {
  render(<Checkout visitor />)
  expect(reason()).toBe('Fill in your email first.')
  type('Email', 'ada@')
  expect(reason()).toBe('Check your email first.')
  type('Email', 'ada@harbour.example')
  expect(reason()).toBe('Fill in your first name first.')
  type('First name', 'Ada')
  type('Last name', 'N'.repeat(101))
  expect(reason()).toBe('Check your last name first.')
  fireEvent.click(screen.getByRole('link', { name: 'Check your last name first.' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Last name'))
  type('Last name', 'Novak')
  type('Password', 'eight-it-is')
  expect(reason()).toBe('Choose your country first.')
  type('Country', 'GB')
  type('Name on card', 'Ada Novak')
  // The waiver checkbox is below the card.
  expect(reason()).toBe('Fill in your card number first.')
  fireEvent.click(screen.getByRole('link', { name: 'Fill in your card number first.' }))
  expect(frames.get('cardNumber')?.focus).toHaveBeenCalledTimes(1)
  act(() => {
    for (const { on } of frames.values()) on.get('change')?.({ complete: true })
  })
  expect(reason()).toBe('Tick the box above this button first.')
  fireEvent.click(screen.getByRole('checkbox'))
  expect(reason()).toBeUndefined()
})

test('shows the server’s violations at their fields, and the summary links to them', () => {
  const { rerender } = render(<Checkout visitor />)
  rerender(<Checkout visitor refusal={{ message: 'lastName: too long', fields: { lastName: 'too long' } }} />)
  expect(payNow().textContent).toBe('Ups! Error!')
  const field = screen.getByLabelText('Last name')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toContain('Nothing has been charged yet.')
  fireEvent.click(screen.getByRole('link', { name: 'too long' }))
  expect(document.activeElement).toBe(field)
})

test('trap 24: does not claim “not charged” when the outcome of a payment is unknown', () => {
  const { rerender } = render(<Checkout />)
  rerender(<Checkout refusal={{ message: 'Check your connection and try again.', uncertain: true }} />)
  const said = screen.getByRole('alert').textContent
  expect(said).toContain('We don’t know yet whether your payment went through.')
  expect(said).not.toContain('Nothing has been charged')
})

test('a purchase payable only by card shows no other method and no waiver', () => {
  const { rerender } = render(<Checkout />)
  expect(screen.getByLabelText('PayPal')).toBeTruthy()
  expect(screen.getByRole('checkbox')).toBeTruthy()
  rerender(<Checkout methods={['card']} waiver={undefined} />)
  expect(screen.queryByLabelText('PayPal')).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.getByLabelText('Name on card')).toBeTruthy()
})

test('PAY-07: the membership checkout marks required fields with an asterisk and explains it', () => {
  const labels = () =>
    [...document.querySelectorAll('label, [data-part]')]
      .map((each) => (each.matches('label') ? each : each.previousElementSibling)?.textContent ?? '')
      .filter((words) => !['Card', 'PayPal'].includes(words))
  const { rerender } = render(<Checkout visitor marked />)
  expect(labels()).toHaveLength(10)
  expect(labels().filter((words) => !words.endsWith(' *'))).toEqual([])
  expect(screen.getByText('Please fill in every field marked *.')).toBeTruthy()
  rerender(<Checkout visitor />)
  expect(labels().filter((words) => words.includes('*'))).toEqual([])
  expect(screen.queryByText(/marked \*/)).toBeNull()
})

function fillIn() {
  type('Name on card', 'Ada Novak')
  fireEvent.click(screen.getByRole('checkbox'))
  typed('cardNumber', 'cardExpiry', 'cardCvc')
}
const typed = (...parts: string[]) =>
  act(() => parts.forEach((part) => frames.get(part)?.on.get('change')?.({ complete: true })))
const isOff = () => payNow().getAttribute('aria-disabled') === 'true'

test('PAY-08: while the form is being sent the button waits, and a second press sends nothing', async () => {
  let end: () => void = () => {}
  const onPay = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  render(<Checkout onPay={onPay} />)
  fillIn()
  fireEvent.click(payNow())
  fireEvent.click(payNow())
  await act(async () => undefined)
  expect(payNow().getAttribute('aria-busy')).toBe('true')
  fireEvent.click(payNow())
  fireEvent.submit(payNow().closest('form')!)
  await act(async () => undefined)
  expect(onPay).toHaveBeenCalledTimes(1)
  await act(async () => end())
  expect(payNow().getAttribute('aria-busy')).toBeNull()
})

test('PAY-10 PAY-17: card is the default, and complete only with number, expiry and CVC', () => {
  render(<Checkout />)
  const isChosen = (name: string) => screen.getByLabelText<HTMLInputElement>(name).checked
  expect([isChosen('Card'), isChosen('PayPal')]).toEqual([true, false])
  type('Name on card', 'Ada Novak')
  fireEvent.click(screen.getByRole('checkbox'))
  for (const part of ['cardNumber', 'cardExpiry', 'cardCvc']) {
    expect(isOff()).toBe(true)
    typed(part)
  }
  expect(isOff()).toBe(false)
  act(() => frames.get('cardNumber')!.on.get('change')!({ complete: false }))
  expect(isOff()).toBe(true)
})

test('PAY-11: choosing PayPal starts it at once, without a card, if everything else is filled in', async () => {
  const onPay = vi.fn(async () => undefined)
  render(<Checkout onPay={onPay} note={(method) => `By ${method}.`} />)
  const choose = async (name: string) => {
    fireEvent.click(screen.getByLabelText(name))
    await act(() => new Promise((resolve) => setTimeout(resolve)))
  }
  await choose('PayPal')
  expect(screen.getByText('By paypal.')).toBeTruthy()
  expect(onPay).not.toHaveBeenCalled()
  await choose('Card')
  expect(screen.getByText('By card.')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox'))
  await choose('PayPal')
  expect(onPay).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ waiver: true }), 'paypal')
})

test('PAY-11: if PayPal is chosen before it is ready, it starts once, as soon as it can', async () => {
  const onPay = vi.fn(async () => undefined)
  const { rerender } = render(<Checkout onPay={onPay} providerReady={false} />)
  fireEvent.click(screen.getByRole('checkbox'))
  fireEvent.click(screen.getByLabelText('PayPal'))
  rerender(<Checkout onPay={onPay} />)
  await vi.waitFor(() => expect(onPay).toHaveBeenCalledOnce())
  rerender(<Checkout onPay={onPay} providerReady={false} />)
  rerender(<Checkout onPay={onPay} />)
  fireEvent.click(screen.getByLabelText('Card'))
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(onPay).toHaveBeenCalledOnce()
})
