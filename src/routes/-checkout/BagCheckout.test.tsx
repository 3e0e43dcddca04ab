// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropCart, storeCartId } from '#features/bag/store.ts'
import { booksAfterJoining, forgetDraft } from '#features/checkout/store.ts'
import { useGifts } from '#features/gifts/address-check.ts'
import type { RefusalReason } from '#contract/problem.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import type {} from '#app/page/history-state.ts'
import { soon } from '#tests/support/wait-for.ts'
import { PaymentScreen } from './PaymentScreen.tsx'

const { openProvider, logIn, openSession } = vi.hoisted(() => ({
  openProvider: vi.fn(),
  logIn: vi.fn(),
  openSession: vi.fn(),
}))
const navigate = vi.fn(async () => undefined)
const router = { navigate, state: { location: { state: {} } } }
vi.mock('@tanstack/react-router', () => ({
  useRouter: () => router,
  useNavigate: () => navigate,
  useRouterState: ({ select }: { select: (state: object) => unknown }) => select(router.state),
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#features/checkout/stripe-js.ts', () => ({ openProvider }))
vi.mock('#session/log-in.ts', () => ({ openSession }))
vi.mock('#app/pop-ups/authentication.ts', () => ({ useLogInFirst: () => logIn }))

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
const cart = {
  uuid: CART,
  items: [
    {
      uuid: 'i1',
      audioBook: {
        entityType: 'audioBook',
        slug: 'the-quiet-ferry',
        title: 'The Quiet Ferry',
        price: 11,
        authors: [],
        cover330: '/media/a-330.webp',
        cover900: '/media/a-900.webp',
        coverPlaceholder: null,
        containerBackgroundColour: null,
      },
      eBook: null,
      gift: false,
      giftEmail: null as string | null,
      giftMessage: null,
      price: 11,
      discountPrice: null,
      vat: 1.83,
      vatPercent: 20,
      available: true,
      geoBlocked: false,
    },
  ],
  itemCount: 1,
  blocked: false,
  discount: null as object | null,
  discountMessage: null,
  sumBeforeDiscount: 11,
  sumCheckedForPayment: 11,
  sumVat: 1.83,
  sumNet: 9.17,
}
const withCode = (code: string, sum: number) => ({
  ...cart,
  discount: {
    discount_code: code,
    discount_type: 'all',
    relative_discount: 20,
    discount_amount: null,
    saved: 11 - sum,
    rounded: false,
  },
  sumCheckedForPayment: sum,
})
const begun = {
  success: true,
  message: null,
  amount: 11,
  clientSecret: 'pi_1_secret_x' as string | null,
  url: null as string | null,
  order: 'o1',
  returnUrl: 'https://murmur.example/payment-successful',
}
const refuse = (status: number, message: string, reason?: RefusalReason) => {
  throw new NetProblem('refused', status, { message, ...(reason && { reason }) })
}

let server: Record<'bag' | 'availability' | 'checkout' | 'register' | 'return' | 'coupon', () => unknown>
let settings: () => unknown
const exchange = vi.fn(async ({ path }: Exchange): Promise<unknown> => {
  if (path.endsWith('/payment_settings')) return settings()
  if (path.endsWith('/availability')) return server.availability()
  if (path.endsWith('/checkout')) return server.checkout()
  if (path.endsWith('/register')) return server.register()
  if (path.endsWith('/subscriptions')) return { id: 's1', paymentIntent: 'pi_2_secret_x', returnUrl: '' }
  if (path.endsWith('/payments/return')) return server.return()
  if (path.endsWith('/apply-coupon')) return server.coupon()
  return server.bag()
})
const sent = (to: string) =>
  exchange.mock.calls.flatMap(([{ method, path, json }]) =>
    method === 'POST' && path.endsWith(to) ? [json] : [],
  )

/** Simulates input in Stripe's three fields, and Stripe's result for the card. */
let typeCard: () => void
const confirmCardPayment = vi.fn()
function aProvider() {
  const frames: ((event: { complete: boolean }) => void)[] = []
  typeCard = () => act(() => frames.forEach((change) => change({ complete: true })))
  const create = () => {
    let ready = () => {}
    return {
      on(event: string, hear: (event?: object) => void) {
        // No wallet is in this browser.
        if (event === 'ready') ready = () => hear({})
        if (event === 'change') frames.push(hear)
      },
      mount: () => ready(),
      update: () => undefined,
      destroy: () => undefined,
      focus: () => undefined,
    }
  }
  return { elements: () => ({ create, update: async () => undefined }), confirmCardPayment }
}

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('matchMedia', () => ({ addEventListener() {}, removeEventListener() {} }))
  document.head.innerHTML = '<meta name="payments" content="">'
  sessionStorage.clear()
  settings = () => ({ publishableKey: 'pk_test_1', test: true })
  forgetDraft()
  useGifts.setState({ checks: {} })
  server = {
    bag: () => cart,
    availability: () => ({ updated: false }),
    checkout: () => begun,
    register: () => ({ token: 't', refresh_token: 'r' }),
    return: () => ({ outcome: 'refused', order: null }),
    coupon: () => cart,
  }
  openProvider.mockImplementation(async () => aProvider())
  confirmCardPayment.mockResolvedValue({ paymentIntent: { status: 'succeeded' } })
  openSession.mockImplementation(async () => becomeMember())
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
  storeCartId(CART)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function becomeMember() {
  dropCart(CART)
  becomeUser({ uuid: 'u1' } as never, null)
}
const open = async (search: Parameters<typeof PaymentScreen>[0]['search'] = {}) => {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PaymentScreen search={search} />
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: /Pay now|Complete free order/ })
}
const payNow = () => screen.getByRole('button', { name: /^Pay now/ })
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true'
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const FIELDS = ['Email', 'First name', 'Last name', 'Password', 'Country', 'Name on card']
async function fillIn({ visitor = true } = {}) {
  const values = ['una@harbour.example', 'Una', 'Reed', 'murmur-demo', 'GB', 'Una Reed']
  for (const [place, label] of FIELDS.entries())
    if (visitor || label === 'Name on card') type(label, values[place]!)
  fireEvent.click(screen.getByRole('checkbox', { name: /^(I want my books|Send my gift) now/ }))
  await soon(() => expect(openProvider).toHaveBeenCalled())
  await act(async () => undefined)
  typeCard()
  await soon(() => expect(isOff(payNow())).toBe(false))
}
const pay = () => fireEvent.click(payNow())
const enterCode = (code: string) => {
  type('Discount code', code)
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
}
const total = () => screen.getAllByRole('definition').at(-1)!

test('PAY-01 PAY-02 PAY-09: the checkout of a bag is called Checkout, lists its books with prices, and has a “Pay now” button', async () => {
  await open()
  screen.getByRole('heading', { level: 1, name: 'Checkout' })
  const bag = screen.getByRole('complementary', { name: 'Your bag' })
  expect(within(bag).getByText('The Quiet Ferry').closest('li')!.textContent).toContain('£11.00')
  expect(total().textContent).toBe('£11.00')
  expect(payNow().textContent).toBe('Pay now, £11.00')
  screen.getByText('Test payments. No money moves.')
})

test('the form appears once the payment settings are loaded: nothing shifts later', async () => {
  let answer = () => {}
  settings = () =>
    new Promise((resolve) => (answer = () => resolve({ publishableKey: 'pk_test_1', test: true })))
  becomeMember()
  const opened = open()
  await soon(() => expect(openProvider).toHaveBeenCalled())
  await act(async () => undefined)
  expect(screen.queryByRole('button', { name: /^Pay now/ })).toBeNull()
  answer()
  await opened
  screen.getByText('Test payments. No money moves.')
})

test('the checkout opens even if the payment settings can’t be loaded', async () => {
  settings = () => refuse(503, 'Please try again.')
  await open()
  expect(screen.queryByText('Test payments. No money moves.')).toBeNull()
})

test('in a shop without payment keys the checkout says so and asks for no card, until a code covers the total', async () => {
  settings = () => ({ publishableKey: null, test: false })
  openProvider.mockRejectedValue(new Error('This shop takes no payments.'))
  becomeMember()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PaymentScreen search={{}} />
    </QueryClientProvider>,
  )
  const note = await screen.findByRole('note')
  expect(note.textContent).toBe(
    'We can’t take payments yet. Nothing was charged. A code that covers all of it already works.',
  )
  expect(screen.queryByRole('button', { name: /^Pay now/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  server.coupon = server.bag = () => withCode('BOOKGIFT', 0)
  enterCode('BOOKGIFT')
  await screen.findByRole('button', { name: 'Complete free order' })
  expect(screen.queryByRole('note')).toBeNull()
})

test('PAY-04 PAY-06: a visitor enters their details or logs in; a logged-in user enters only the payment', async () => {
  await open()
  for (const label of FIELDS) expect(screen.getByLabelText(label)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Already have an account? Log in' }))
  expect(logIn).toHaveBeenCalledOnce()
  act(becomeMember)
  await soon(() => expect(screen.queryByLabelText('Email')).toBeNull())
  await screen.findByLabelText('Name on card')
  expect(FIELDS.filter((label) => screen.queryByLabelText(label))).toEqual(['Name on card'])
  expect(screen.queryByRole('button', { name: /Log in/ })).toBeNull()
})

test('PAY-31: a visitor who paid is led to the confirmation as a new user, and this browser drops the guest’s bag', async () => {
  await open()
  await fillIn()
  pay()
  await soon(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith({
    to: '/payment-successful',
    state: { newUser: true, order: 'o1', secret: 'pi_1_secret_x' },
    replace: true,
  })
  expect(sent('/register')).toMatchObject([{ email: 'una@harbour.example', countryCode: 'GB' }])
  expect(localStorage.getItem('cartId')).toBeNull()
})

test('ERR-04 PAY-37 PAY-40: an address with an account is reported at once; the input stays, and another address can pay', async () => {
  const said = 'This email already exists with a user account, please sign in'
  server.register = () => refuse(422, 'email: already taken', 'email_taken')
  await open()
  await fillIn()
  pay()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Nothing has been charged yet.')
  expect(alert.textContent).toContain(said)
  expect(isOff(screen.getByRole('button', { name: 'Ups! Error!' }))).toBe(false)
  for (const [label, value] of [
    ['Email', 'una@harbour.example'],
    ['Password', 'murmur-demo'],
    ['Name on card', 'Una Reed'],
  ] as const)
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(value)
  expect(navigate).not.toHaveBeenCalled()
  expect(sent('/checkout')).toEqual([])
  server.register = () => ({ token: 't', refresh_token: 'r' })
  type('Email', 'una.reed@harbour.example')
  fireEvent.click(await screen.findByRole('button', { name: /^Pay now/ }))
  await soon(() =>
    expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: '/payment-successful' })),
  )
})

test('PAY-26: a card is charged the displayed total, with or without a code', async () => {
  becomeMember()
  await open()
  server.coupon = server.bag = () => withCode('WELCOME20', 9)
  await fillIn({ visitor: false })
  enterCode('welcome20')
  await soon(() => expect(total().textContent).toContain('£9.00'))
  await soon(() => expect(isOff(payNow())).toBe(false))
  pay()
  await soon(() => expect(sent('/checkout')).toEqual([{ couponCode: 'WELCOME20', amount: 9, waiver: true }]))
  await soon(() => expect(confirmCardPayment).toHaveBeenCalledOnce())
  cleanup()
  server.bag = () => cart
  sessionStorage.clear()
  forgetDraft()
  vi.clearAllMocks()
  await open()
  await fillIn({ visitor: false })
  pay()
  await soon(() => expect(sent('/checkout')).toEqual([{ couponCode: null, amount: 11, waiver: true }]))
})

test('ERR-10 PAY-28: a refused card leads to the problem page; the bag belongs to the account by then', async () => {
  confirmCardPayment.mockResolvedValue({ error: { code: 'card_declined' } })
  await open()
  await fillIn()
  expect(localStorage.getItem('cartId')).toBe(CART)
  pay()
  await soon(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith(
    expect.objectContaining({
      to: '/payment-problem',
      state: expect.objectContaining({ secret: 'pi_1_secret_x' }),
    }),
  )
  expect(localStorage.getItem('cartId')).toBeNull()
})

test('PAY-25: an unavailable item leads back to the bag, without registration, order or payment', async () => {
  server.availability = () => ({ updated: true })
  await open()
  await fillIn()
  pay()
  await soon(() => expect(navigate).toHaveBeenCalledWith({ to: '/shopping-bag', search: {} }))
  expect([...sent('/register'), ...sent('/checkout')]).toEqual([])
  expect(confirmCardPayment).not.toHaveBeenCalled()
})

test('a changed total is reported, and the bag is loaded again', async () => {
  becomeMember()
  await open()
  await fillIn({ visitor: false })
  server.checkout = () => refuse(409, 'The total has changed', 'total_changed')
  server.bag = () => ({ ...cart, sumBeforeDiscount: 27, sumCheckedForPayment: 27 })
  pay()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Nothing has been charged yet.')
  expect(alert.textContent).toContain('The total has changed')
  await soon(() => expect(total().textContent).toBe('£27.00'))
  expect(confirmCardPayment).not.toHaveBeenCalled()
})

test('PAY-42: until Stripe is ready the form can’t be sent, and the buyer can load Stripe again', async () => {
  openProvider.mockRejectedValueOnce(new Error('nobody answers'))
  becomeMember()
  await open()
  type('Name on card', 'Una Reed')
  fireEvent.click(screen.getByRole('checkbox', { name: /^I want my books now/ }))
  await screen.findByText('Our card provider can’t be reached. Nothing has been charged.')
  expect(isOff(payNow())).toBe(true)
  fireEvent.submit(payNow().closest('form')!)
  await act(async () => undefined)
  expect(sent('/checkout')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await soon(() => expect(openProvider).toHaveBeenCalledTimes(2))
  await act(async () => undefined)
  typeCard()
  await soon(() => expect(isOff(payNow())).toBe(false))
})

test('PAY-44: the form can’t be sent while a code is being checked', async () => {
  let answer: (bag: unknown) => void = () => {}
  await open()
  await fillIn()
  server.coupon = () => new Promise((resolve) => (answer = resolve))
  const apply = screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' })
  expect(apply.disabled).toBe(true)
  enterCode('WELCOME20')
  await soon(() => expect(isOff(payNow())).toBe(true))
  expect(apply.getAttribute('aria-busy')).toBe('true')
  expect(screen.getByText('We’re checking your discount code.')).toBeTruthy()
  await act(async () => answer(withCode('WELCOME20', 9)))
  await soon(() => expect(isOff(payNow())).toBe(false))
})

test('the text below the button says what is charged and who gets the details, and links to the terms', async () => {
  await open()
  const note = () =>
    screen.getByRole('link', { name: 'terms (opens in a new tab)' }).parentElement!.textContent
  expect(note()).toContain('£11.00 including VAT. Card details go straight to our card provider')
  fireEvent.click(screen.getByLabelText('PayPal'))
  expect(note()).toContain('You’ll go to PayPal to approve the payment, then come straight back here.')
  expect(note()).not.toContain('Card details')
  expect(screen.getByRole('link', { name: 'privacy policy (opens in a new tab)' })).toBeTruthy()
})

test('PAY-43: the form can’t be sent while a gift in the bag has no address', async () => {
  const gift = (giftEmail: string | null) => ({
    ...cart,
    items: [{ ...cart.items[0]!, gift: true, giftEmail }],
  })
  server.bag = () => gift(null)
  await open()
  expect(isOff(payNow())).toBe(true)
  expect(screen.getByText('A gift in your bag still needs an email address.')).toBeTruthy()
  cleanup()
  server.bag = () => gift('mina@harbour.example')
  await open()
  await fillIn()
  expect(screen.getByText('A gift for mina@harbour.example')).toBeTruthy()
})

test('PAY-03 PAY-35: a code is typed into its box, and the new price appears next to the old one, which is struck through', async () => {
  await open()
  server.coupon = () => withCode('WELCOME20', 9)
  enterCode('  welcome20 ')
  await screen.findByText('WELCOME20')
  expect(screen.getByText('20% off your bag')).toBeTruthy()
  expect(total().textContent).toBe('Was £11.00£9.00')
  expect(total().querySelector('s')!.textContent).toBe('Was £11.00')
  server.coupon = () => cart
  fireEvent.click(screen.getByRole('button', { name: 'Remove code WELCOME20' }))
  await soon(() => expect(total().textContent).toBe('£11.00'))
})

test.each([
  ['the shop does not take here', 422, 'This discount code is not valid'],
  ['the account used already', 422, 'This discount code was already used'],
  ['nobody can look at', 0, 'Error applying discount'],
])('DISC-11: a code that %s says so, and nothing comes off', async (_what, status, words) => {
  await open()
  server.coupon = () => {
    if (status) refuse(status, words)
    throw new NetProblem('offline', 0)
  }
  enterCode('NOSUCHCODE')
  await screen.findByText(words)
  expect(total().textContent).toBe('£11.00')
})

test('PAY-29 PAY-49: a total of zero needs no card, and the free order leads to its confirmation', async () => {
  server.bag = () => withCode('BOOKGIFT', 0)
  server.coupon = () => withCode('BOOKGIFT', 0)
  server.checkout = () => ({ ...begun, amount: 0, clientSecret: null })
  becomeMember()
  await open()
  expect(screen.getByLabelText('Name on card').closest('fieldset')!.hidden).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Complete free order' }))
  await soon(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith(
    expect.objectContaining({ to: '/payment-successful', state: expect.objectContaining({ order: 'o1' }) }),
  )
  expect(confirmCardPayment).not.toHaveBeenCalled()
})

test('paying: with the switch on, one form pays for the membership first and the books wait for it', async () => {
  server.bag = () => ({ ...cart, sumForMembers: 8.8 })
  becomeMember()
  await open({ join: 1 })
  expect(total().textContent).toBe('£16.80')
  await fillIn({ visitor: false })
  pay()
  await soon(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith(
    expect.objectContaining({
      to: '/subscription-successful',
      state: expect.objectContaining({ subscriptionId: 's1', secret: 'pi_2_secret_x' }),
    }),
  )
  expect(sent('/subscriptions')).toEqual([
    { plan: 4, couponCode: null, amount: 8, startNow: true, cart: CART },
  ])
  expect(booksAfterJoining()).toEqual({ cart: CART, subscription: 's1', amount: 8.8 })
})

test('paying: a membership that is refused leaves the bag, and “Try again” keeps the switch on', async () => {
  confirmCardPayment.mockResolvedValue({ error: { code: 'card_declined' } })
  server.bag = () => ({ ...cart, sumForMembers: 8.8 })
  becomeMember()
  await open({ join: 1 })
  await fillIn({ visitor: false })
  pay()
  await soon(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith({
    to: '/payment-problem',
    state: { secret: 'pi_2_secret_x', joins: true },
  })
  expect(booksAfterJoining()).toBeUndefined()
})

test('PAY-30 PAY-48: a redirect from the server is followed, and the button says so', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  server.bag = () => withCode('BOOKGIFT', 0)
  server.coupon = () => withCode('BOOKGIFT', 0)
  server.checkout = () => ({ ...begun, amount: 0, clientSecret: null, url: 'https://murmur.example/free' })
  becomeMember()
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Complete free order' }))
  await screen.findByRole('button', { name: 'Go to checkout' })
  await soon(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://murmur.example/free'))
  expect(navigate).not.toHaveBeenCalled()
  assign.mockRestore()
})

test('PAY-03: on a phone, where the bag is one line, a link opens the code field', async () => {
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Have a code?' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Discount code'))
  expect(screen.queryByRole('button', { name: 'Have a code?' })).toBeNull()
})
