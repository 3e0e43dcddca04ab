// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { booksAfterJoining, forgetPayment, rememberBooks, rememberPayment } from '#features/checkout/store.ts'
import { useGiftDraft, writeGiftDraft } from '#features/gifts/draft.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { tokenOf } from '#tests/support/access-tokens.ts'
import type {} from '#app/page/history-state.ts'
import { MembershipStarted } from './MembershipStarted.tsx'
import { MembershipGiven } from './MembershipGiven.tsx'

const NELL = { uuid: 'u1', firstName: 'Nell', fullName: 'Nell Hart' }
const location = { state: {} as Record<string, unknown> }
const router = { navigate: vi.fn(async () => undefined), state: { location } }
vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, children }: { to: string; search?: object; children?: ReactNode }) => (
    <a href={`${to}${search ? JSON.stringify(search) : ''}`}>{children}</a>
  )
  return {
    Link,
    createLink: () => Link,
    Navigate: ({ to }: { to: string }) => <p>Goes to {to}</p>,
    useRouter: () => router,
    useNavigate: () => router.navigate,
    useRouterState: ({ select }: { select: (state: object) => unknown }) => select({ location }),
  }
})
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#app/problems/GoInstead.tsx', () => ({ GoInstead: ({ to }: { to: string }) => <p>Goes to {to}</p> }))

let outcome = 'paid'
let isKnown = true
const returned = () => {
  if (!isKnown) throw new NetProblem('refused', 404)
  return { outcome, order: null }
}
let membership: object | null = null
let books = (): object => ({ outcome: 'paid', order: 'o2', clientSecret: null })
/** This account's gifts, newest first. */
let given: object[] = []
let highlights: object[] = []
beforeEach(() => {
  highlights = []
  outcome = 'paid'
  isKnown = true
  membership = null
  given = []
  location.state = {}
  forgetPayment()
  configureNet({
    exchange: async ({ path }: { path: string }) =>
      path.endsWith('/return')
        ? returned()
        : path.endsWith('/buy_after_joining')
          ? books()
          : path.endsWith('/get-current-subscription')
            ? membership
            : path.endsWith('/details')
              ? { credits: { left: 1, until: null, leavesToPayBack: null }, subscription: { gift: false } }
              : path.endsWith('/second_editions')
                ? { 'hydra:member': highlights, 'hydra:totalItems': highlights.length }
                : { 'hydra:member': given },
    tokens: { read: async () => ({ token: tokenOf('u1') }) },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeUser({ uuid: 'u1', firstName: 'Nell', fullName: 'Nell Hart' }, null)
})
afterEach(cleanup)

const open = (props: Partial<Parameters<typeof MembershipGiven>[0]> = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MembershipGiven proof={{}} {...props} />
    </QueryClientProvider>,
  )
const begun = (props: Partial<Parameters<typeof MembershipStarted>[0]> = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MembershipStarted proof={{}} {...props} />
    </QueryClientProvider>,
  )
const isSaid = async (name: string) => (await screen.findByRole('heading', { level: 1, name })) !== null

test('ORDER-13: the confirmation of a gift names its recipient and plan, and the draft is removed', async () => {
  writeGiftDraft({ email: 'joost@harbour.example', message: 'For the long evenings' })
  location.state = { order: 'o1', secret: 'pi_1_secret_x', recipientName: 'Joost', plan: 5 }
  open()
  expect(await isSaid('A year of Reader is on its way to Joost.')).toBe(true)
  expect(useGiftDraft.getState().email).toBe('')
  screen.getByText(/We’ve emailed Joost for you\./)
  const card = screen.getByRole('region', { name: 'What Joost will open' })
  expect(card.textContent).toContain('For Joost, from Nell Hart')
  expect(card.textContent).toContain('For the long evenings')
  expect(screen.getByText('See your gifts').getAttribute('href')).toBe('/gifts{}')
})

test('after PayPal, this tab still has the recipient’s name', async () => {
  const membership = { plan: 3, kind: 'gift', recipient: 'Joost' } as const
  rememberPayment({ order: 'o1', secret: 'pi_1_secret_x', newUser: false, membership })
  open({ proof: { payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_x' } })
  expect(await isSaid('Six months of Avid Reader is on its way to Joost.')).toBe(true)
})

test('ORDER-15: the recipient in the URL is shown as text, cut to the length of a name', async () => {
  const recipient = '<img src=x onerror=alert(1)>'
  location.state = { order: 'o1', recipientName: recipient, plan: 1 }
  const { container } = open({ xmas: { recipient, type: '1' } })
  expect(await isSaid(`A month of Avid Reader is wrapped for ${recipient}.`)).toBe(true)
  expect(container.querySelector('img')).toBeNull()
  cleanup()
  open({ xmas: { recipient: 'J'.repeat(300), type: '1' } })
  expect(await isSaid(`A month of Avid Reader is wrapped for ${'J'.repeat(100)}.`)).toBe(true)
})

test('ROLE-24: without an account or the payment’s own proof, nothing is shown', async () => {
  becomeVisitor()
  open({ xmas: { recipient: 'Joost' } })
  expect(screen.getByText('Goes to /access-denied')).toBeTruthy()
  cleanup()
  location.state = { order: 'o1', secret: 'pi_1_secret_x', recipientName: 'Joost', plan: 5 }
  open()
  expect(await isSaid('A year of Reader is on its way to Joost.')).toBe(true)
  expect(screen.getByRole('link', { name: 'Create an account' })).toBeTruthy()
})

test('an unpaid gift says that nothing was charged', async () => {
  outcome = 'refused'
  open({ proof: { payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_x' } })
  expect(await isSaid('Oops, looks like there was a problem with Paypal.')).toBe(true)
  cleanup()
  // The buyer cancelled at PayPal: the payment stays open there.
  outcome = 'open'
  const proof = { payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_x' }
  open({ proof: { ...proof, redirect_status: 'failed' } })
  expect(await isSaid('Oops, looks like there was a problem with Paypal.')).toBe(true)
})

test('after PayPal without a payment, another attempt opens the same checkout, not the bag’s', async () => {
  outcome = 'refused'
  const proof = { payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_x' }
  const pending = { order: 'o1', secret: 'pi_1_secret_x', newUser: false }
  const leads = async () => (await screen.findByText('Try again')).getAttribute('href')
  rememberPayment({ ...pending, membership: { plan: 3, kind: 'gift', recipient: 'Joost' } })
  open({ proof })
  expect(await leads()).toBe('/payment{"plan":3,"gift":"gift"}')
  cleanup()
  // After a reload, without this tab's stored payment.
  open({ proof, xmas: { recipient: 'Joost', type: '2' } })
  expect(await leads()).toBe('/payment{"plan":2,"gift":"xmas"}')
  cleanup()
  rememberPayment({ ...pending, membership: { plan: 2, kind: 'plan' } })
  begun({ proof })
  expect(await leads()).toBe('/payment{"plan":2}')
  cleanup()
  begun({ proof, trial: true })
  expect(await leads()).toBe('/free-trial')
  cleanup()
  begun({ proof })
  expect((await screen.findByText('See the plans')).getAttribute('href')).toBe('/subscription/{-$token}')
})

const ONE = { orderDate: new Date().toISOString(), validUntil: null, periodEnd: null }

test('ORDER-05: the confirmation names the new plan, and the first free audiobook is chosen on it', async () => {
  membership = {
    ...ONE,
    id: 's1',
    plan: 4,
    status: 'active',
    payment: { amount: 8 },
    periodEnd: '2026-12-24T10:00:00Z',
  }
  highlights = Array.from({ length: 9 }, (_, id) =>
    aTitle({ slug: `b-${id}`, title: `Book ${id}`, sample: '/s.m4a' }),
  )
  becomeUser(NELL, { ...NELL, hasCredit: true } as never)
  begun()
  const welcome = await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
  expect(welcome.textContent).toBe('Welcome, Nell. What shall it be?')
  expect((await screen.findByRole('status')).textContent).toContain('You’re a Reader from today.')
  expect(await screen.findAllByRole('button', { name: /^Choose: / })).toHaveLength(8)
  expect(screen.getAllByRole('button', { name: /^Play a sample of / })).toHaveLength(8)
  screen.getByText('The next one comes on 24th December, with your next £8.00.')
  screen.getByText(/^Your membership renews each month until you cancel\./)
  await userEvent.click(screen.getByRole('button', { name: 'Choose: Book 0' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Choose it' }))
  expect(await isSaid('Book 0 is yours.')).toBe(true)
  expect(screen.getByRole('button', { name: 'Listen now: Book 0' })).toBeTruthy()
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(hrefs.slice(-2)).toEqual(['/library', '/subscription-details'])
})

test('ORDER-05: without free audiobooks to choose from, the confirmation names the plan and leads on', async () => {
  membership = { ...ONE, plan: 6, status: 'active', payment: { amount: 3 } }
  begun()
  expect(await isSaid('You’re a member.')).toBe(true)
  screen.getByText(/^Supporter, monthly, from today\. Your membership renews each month until you cancel\./)
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(['/audiobooks', '/subscription-details'])
  cleanup()
  // The titles can't be loaded, or the shop shows none.
  membership = { ...ONE, plan: 4, status: 'active', payment: { amount: 8 } }
  begun()
  expect(await screen.findByText(/^Reader, monthly, from today\./, {}, { timeout: 4_000 })).toBeTruthy()
})

test('ORDER-14: the trial’s confirmation shows its 30 days, its last day and the price after it', async () => {
  const validUntil = '2026-12-21T10:00:00.000Z'
  membership = {
    ...ONE,
    plan: 4,
    status: 'trialing',
    payment: { amount: 0 },
    validUntil,
    periodEnd: validUntil,
  }
  begun({ trial: true })
  expect(await isSaid('Your 30 days have started.')).toBe(true)
  screen.getByText(/Your free trial lasts until 21st December 2026\./)
  await screen.findByText(/After that it’s £8\.00 a month, unless/, {}, { timeout: 4_000 })
})

test('NAV-33: opening the URL without a membership shows the plans instead of waiting for ever', async () => {
  begun()
  expect(await screen.findByText('Goes to /subscription/{-$token}')).toBeTruthy()
})

test('NAV-33: the URL starts no trial, whether one has ended or never began', async () => {
  membership = { ...ONE, plan: 4, status: 'active', payment: null }
  begun({ trial: true })
  expect(await screen.findByRole('heading', { level: 1, name: /^You’re a member/ })).toBeTruthy()
  cleanup()
  membership = { ...membership, status: 'trialing', validUntil: '2026-12-21T10:00:00.000Z' }
  begun({ trial: true })
  expect(await isSaid('Your 30 days have started.')).toBe(true)
})

test('NAV-33: an unknown payment is not taken for paid because the account already has a membership', async () => {
  isKnown = false
  membership = { ...ONE, plan: 4, status: 'active', payment: { amount: 8 } }
  const proof = { payment_intent: 'pi_9', payment_intent_client_secret: 'pi_9_secret_x' }
  begun({ proof: { ...proof, redirect_status: 'succeeded' } })
  expect(await screen.findByText('Goes to /subscription/{-$token}')).toBeTruthy()
  cleanup()
  open({ proof, xmas: { recipient: 'Joost', type: '2' } })
  expect(await isSaid('A gift for Joost')).toBe(true)
})

test('ORDER-15: a made-up URL shows no confirmation of a gift that doesn’t exist', async () => {
  const xmas = { recipient: 'Anyone', type: '2' }
  open({ xmas })
  expect(await isSaid('A gift for Anyone')).toBe(true)
  cleanup()
  given = [
    {
      plan: 2,
      giftRecipientFirstName: 'Joost',
      giftEmail: 'joost@harbour.example',
      giftDeliveryDate: '2026-12-25',
    },
  ]
  open({ xmas })
  expect(await isSaid('A gift for Anyone')).toBe(true)
  cleanup()
  open({ xmas: { recipient: 'Joost', type: '2' } })
  expect(await isSaid('A year of Avid Reader is wrapped for Joost.')).toBe(true)
  screen.getByText(/^It arrives on Friday 25th December at 8 a\.m\./)
  cleanup()
  given = []
  open()
  expect(await isSaid('Your gift')).toBe(true)
})

test('ORDER-05: after two months the confirmation’s URL shows the membership, and what is free to choose now', async () => {
  membership = {
    ...ONE,
    plan: 4,
    status: 'active',
    payment: { amount: 8 },
    orderDate: '2026-01-05T10:00:00.000Z',
  }
  highlights = [aTitle({ slug: 'b-1', title: 'Book 1' })]
  becomeUser(NELL, { ...NELL, hasCredit: true } as never)
  begun({ trial: true })
  expect(await isSaid('You’re a member.')).toBe(true)
  expect((await screen.findByText('choose this one')).parentElement!.textContent).toMatch(
    /^Reader, monthly, since 5th January 2026\. Your next audiobook is free/,
  )
  expect(screen.getByRole('button', { name: 'Choose: Book 1' })).toBeTruthy()
})

const bookPayment = { cart: 'c1', subscription: 's1', amount: 8.8 }

test('paying: if the books are refused, the page says that the membership stands and the bag is unchanged', async () => {
  membership = { ...ONE, plan: 6, status: 'active', payment: { amount: 3 } }
  rememberBooks(bookPayment)
  books = () => ({ outcome: 'refused', order: 'o2', clientSecret: 'pi_3_secret_x', refusal: 'declined' })
  begun()
  await screen.findByText(
    'Your membership has started, but £8.80 for your books couldn’t be paid. They’re still in your bag, at your member’s price.',
  )
  expect(screen.getByText('Go to your bag').getAttribute('href')).toBe('/shopping-bag')
  expect(booksAfterJoining()).toBeUndefined()
})

test('paying: if the bank asks about the books, its question opens with one press', async () => {
  membership = { ...ONE, plan: 6, status: 'active', payment: { amount: 3 } }
  rememberBooks(bookPayment)
  books = () => ({ outcome: 'authenticate', order: 'o2', clientSecret: 'pi_3_secret_x' })
  begun()
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to your bank' }))
  expect(router.navigate).toHaveBeenCalledWith({
    to: '/payment',
    search: { authenticate: '/shopping-bag' },
  })
})

test('paying: if the answer about the books is lost, the page asks again, and a reload does too', async () => {
  membership = { ...ONE, plan: 6, status: 'active', payment: { amount: 3 } }
  rememberBooks(bookPayment)
  books = () => {
    throw new NetProblem('offline', 0)
  }
  begun()
  const again = await screen.findByRole('button', { name: 'Check again' })
  expect(booksAfterJoining()).toEqual(bookPayment)
  books = () => ({ outcome: 'paid', order: 'o2', clientSecret: null })
  await userEvent.click(again)
  await screen.findByText('Your books are in your library: £8.80 paid.')
})
