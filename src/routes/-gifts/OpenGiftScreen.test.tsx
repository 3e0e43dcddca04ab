// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { installSamples } from '#features/samples/store.ts'
import { becomeUser, becomeVisitor, useSession } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { openAfterJoining } from '#features/account/gift-link.ts'
import { OpenGiftScreen } from './OpenGiftScreen.tsx'

const router = {
  navigate: vi.fn(async () => undefined),
  state: { location: { href: '/get-subscription?x' } },
}
vi.mock('@tanstack/react-router', () => {
  const Link = ({ to, search, children }: { to: string; search?: object; children?: ReactNode }) => (
    <a href={`${to}${JSON.stringify(search ?? {})}`}>{children}</a>
  )
  return {
    Link,
    createLink: () => Link,
    Navigate: ({ to }: { to: string }) => <p>Goes to {to}</p>,
    useRouter: () => router,
    useNavigate: () => router.navigate,
  }
})
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))

const gift: MembershipGift = {
  '@id': '/api/subscriptions/gifts/g1',
  '@type': 'MembershipGift',
  id: 'g1',
  plan: 5,
  giverName: 'Nell Hart',
  giftRecipientFirstName: 'Joost',
  giftEmail: 'joost@harbour.example',
  giftMessage: '<b>For the</b> long drives home.',
  givenAt: '2026-12-09T10:00:00.000Z',
  state: 'unclaimed',
  claimedAt: null,
  startsAt: null,
  claimableUntil: '2028-12-09T10:00:00.000Z',
  subscription: null,
  thanks: null,
}
const aBook = {
  id: 'g2',
  audioBook: {
    entityType: 'audioBook',
    slug: 'peat',
    title: 'Peat',
    coverAlt: '',
    persons: [],
    authors: [],
    narrators: [],
    cover330: '/media/peat-330.webp',
    cover900: '/media/peat-900.webp',
    bookBackgroundColour: '#203040',
    containerBackgroundColour: '#304050',
    textColour: '#ffffff',
  },
  eBook: null,
  giftEmail: 'joost@harbour.example',
  giftMessage: null,
  giverName: 'Nell Hart',
  givenAt: '2026-12-09T10:00:00.000Z',
  claimedAt: null,
  thanks: null,
}
let answer: (asked: Exchange) => unknown
const exchange = vi.fn(async (wish: Exchange) => answer(wish))
const asked = () => exchange.mock.calls.map(([{ method, path }]) => `${method} ${path}`)
beforeEach(() => {
  vi.clearAllMocks()
  answer = () => gift
  configureNet({
    exchange,
    tokens: { read: async () => null },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeVisitor()
})
afterEach(cleanup)

const link = { email: 'joost@harbour.example', token: 'tok' }
const open = (props: Partial<Parameters<typeof OpenGiftScreen>[0]> = link) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <OpenGiftScreen kind="membership" {...props} />
    </QueryClientProvider>,
  )
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const logIn = (email = link.email, currentSubscription: object | null = null) => {
  const user = { uuid: 'u1', email, firstName: 'Joost', fullName: 'Joost Vos' }
  becomeUser(user, { ...user, currentSubscription, subscriptions: [] } as never)
}

test('giver, gift and message are shown before any form, and the message is not markup', async () => {
  open()
  await screen.findByRole('heading', { level: 1, name: 'A year of Reader' })
  expect(screen.getByText('Joost, this is from Nell Hart')).toBeTruthy()
  expect(screen.getByText(gift.giftMessage!)).toBeTruthy()
  expect(screen.getByText('Create an account to keep it').getAttribute('href')).toBe(
    `/sign-up${JSON.stringify({ ...link, type: 'subscription' })}`,
  )
  expect(screen.getByText('I have an account').getAttribute('href')).toContain('"type":"subscription"')
})

test('ACC-25: a visitor without the gift’s link is asked to log in', async () => {
  for (const kind of ['book', 'membership'] as const) {
    open({ kind, email: link.email })
    await waitFor(() =>
      expect(router.navigate).toHaveBeenLastCalledWith(
        expect.objectContaining({ to: '/login', replace: true }),
      ),
    )
    cleanup()
  }
})

test('ACC-26: a user with the gift’s address is led on to the gift’s place', async () => {
  logIn()
  open({ email: link.email })
  expect(screen.getByText('Goes to /subscription-details')).toBeTruthy()
  cleanup()
  open({ kind: 'book', email: link.email })
  expect(screen.getByText('Goes to /library')).toBeTruthy()
  cleanup()
})

const MINE = { ...gift, state: 'begun' as const, claimedAt: gift.givenAt, subscription: 's1' }

test('month: a membership that was opened starts on its page, with the first audiobook to choose and the giver to thank', async () => {
  logIn()
  answer = ({ method, path }) =>
    path.endsWith('/logged-user')
      ? { uuid: 'u1', email: link.email, hasCredit: true, subscriptions: [] }
      : method === 'POST'
        ? { ...MINE, thanks: 'possible' }
        : gift
  open()
  await press('Begin')
  const first = await screen.findByText('Choose your first audiobook')
  expect(first.getAttribute('href')).toMatch('/subscriber-selection')
  expect(screen.getByLabelText('Thank Nell Hart in one line')).toBeTruthy()
  expect(router.navigate).not.toHaveBeenCalled()
})

test('month: a book that was opened can be played from its page, there and when the link is visited again', async () => {
  logIn()
  const listen = vi.fn()
  installSamples({ listen } as never)
  let isClaimed = false
  const owned = { ...aBook, claimedAt: gift.givenAt, audioBook: { ...aBook.audioBook, inLibrary: true } }
  answer = ({ method, path }) => {
    if (method === 'POST') isClaimed = true
    return path === '/api/gifts/claim/tok' ? { kind: 'audio_books' } : isClaimed ? owned : aBook
  }
  open({ kind: 'book', ...link })
  await press('Add it to my library')
  await press('Listen now')
  expect(listen).toHaveBeenCalledWith('peat')
  cleanup()
  open({ kind: 'book', ...link })
  expect(await screen.findByRole('button', { name: 'Listen now' })).toBeTruthy()
  expect(screen.getByText('Go to your library')).toBeTruthy()
})

test('a gift that was claimed for another account offers nothing to play', async () => {
  logIn()
  answer = ({ path }) =>
    path === '/api/gifts/claim/tok' ? { kind: 'audio_books' } : { ...aBook, claimedAt: gift.givenAt }
  open({ kind: 'book', ...link })
  expect(await screen.findByText('This gift has already been claimed')).toBeTruthy()
  expect(screen.queryByText('Listen now')).toBeNull()
})

test('compares the gift’s address without regard to case', async () => {
  logIn('Joost@Harbour.example')
  open({ email: link.email })
  expect(screen.getByText('Goes to /subscription-details')).toBeTruthy()
})

test('visiting a gift’s link while logged in shows giver, gift and note, and claims nothing', async () => {
  logIn()
  open()
  await screen.findByRole('heading', { level: 1, name: 'A year of Reader' })
  screen.getByText('Joost, this is from Nell Hart')
  screen.getByText(gift.giftMessage!)
  await screen.findByRole('button', { name: 'Begin' })
  cleanup()
  answer = ({ path }) =>
    path.endsWith('/claim/tok') && !path.includes('audio_books') ? { kind: 'audio_books' } : aBook
  open({ kind: 'book', ...link })
  await screen.findByRole('button', { name: 'Add it to my library' })
  expect(asked().filter((call) => !call.startsWith('GET '))).toEqual([])
})

test('an unclaimed gift for this account is shown on the same page, and claimed with a press', async () => {
  logIn()
  answer = ({ path, method }) =>
    method === 'POST'
      ? { ...gift, state: 'begun' }
      : path.endsWith('/gifts')
        ? { 'hydra:member': [gift] }
        : gift
  open({ gift: 'g1' })
  await screen.findByText(gift.giftMessage!)
  await press('Begin')
  await waitFor(() => expect(asked()).toContain('POST /api/subscriptions/gifts/g1/claim'))
  cleanup()
  // The list no longer has it.
  answer = () => ({ 'hydra:member': [] })
  open({ gift: 'g1' })
  expect(await screen.findByText('Goes to /subscription-details')).toBeTruthy()
})

test('joining to keep a gift also claims it, once', async () => {
  openAfterJoining(link.token)
  logIn()
  answer = ({ method }) => (method === 'POST' ? { ...gift, state: 'begun' } : gift)
  open()
  await waitFor(() => expect(asked()).toContain('POST /api/subscriptions/claim/tok'))
  cleanup()
  exchange.mockClear()
  open()
  await screen.findByRole('button', { name: 'Begin' })
  expect(asked()).not.toContain('POST /api/subscriptions/claim/tok')
})

test('a member keeps the gift for later, and sees when it starts', async () => {
  logIn(undefined, { id: 's1' })
  const startsAt = '2027-03-03T10:00:00.000Z'
  answer = ({ method }) => (method === 'POST' ? { ...gift, state: 'waiting', startsAt } : gift)
  open()
  await screen.findByText('Starts when your own membership ends. No card, nothing to pay')
  await press('Keep it for later')
  await screen.findByText('It starts automatically on 3rd March 2027, when your own membership ends.')
  expect(screen.getByText('Your membership')).toBeTruthy()
  expect(screen.queryByText('Choose your first audiobook')).toBeNull()
})

test('ACC-27: a gift for another address says which account can open it, and links to its log-in', async () => {
  answer = () => ({ 'hydra:member': [] })
  for (const kind of ['membership', 'book'] as const) {
    logIn('nell@murmur.example')
    open({ kind, ...link })
    expect(await screen.findByText(/log in or register with joost@harbour.example/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Use another account' }))
    await soon(() =>
      expect(router.navigate).toHaveBeenLastCalledWith({
        to: '/login',
        search: expect.objectContaining(link),
      }),
    )
    expect(useSession.getState().status).toBe('visitor')
    vi.clearAllMocks()
    cleanup()
  }
})

test('while the user’s addresses can’t be loaded, it claims neither that the gift is theirs nor that it isn’t', async () => {
  logIn('nell@murmur.example')
  answer = () => {
    throw new NetProblem('server', 503)
  }
  open()
  expect(await screen.findByText('We can’t open your gift just now.')).toBeTruthy()
  answer = () => ({ 'hydra:member': [] })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('This gift was sent to a different address.')).toBeTruthy()
})

test.each([
  ['a link that was replaced', 422, 'A new link was sent', 'A new link was sent.'],
  ['one that lapsed', 422, 'This gift has lapsed', 'This gift has lapsed.'],
  ['one that opens nothing', 404, 'Not Found', 'We can’t find this gift.'],
  ['one that nobody can be asked about', 503, '', 'We can’t open your gift just now.'],
])('%s says so kindly', async (_what, status, message, title) => {
  answer = () => {
    throw new NetProblem(status === 503 ? 'server' : 'refused', status, { message })
  }
  open()
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
})

test('a gift that another account has claimed says so, with a link onwards', async () => {
  logIn()
  answer = ({ method }) => {
    if (method === 'POST') throw new NetProblem('refused', 422, { message: 'already been redeemed' })
    return gift
  }
  open()
  await press('Begin')
  expect((await screen.findByRole('alert')).textContent).toContain('already been redeemed')
  expect(screen.getByText('Your membership')).toBeTruthy()
})

test('a logged-in user whose server doesn’t respond is told so, and a retry opens the gift', async () => {
  becomeUser({ uuid: 'u1', firstName: 'Joost', fullName: 'Joost Vos' }, null)
  answer = ({ path }) => {
    throw new NetProblem('offline', 0, { message: path })
  }
  open()
  expect(await screen.findByRole('heading', { name: 'We can’t open your gift just now.' })).toBeTruthy()
  answer = ({ path }) =>
    path.endsWith('/logged-user')
      ? { uuid: 'u1', email: link.email, firstName: 'Joost', fullName: 'Joost Vos', subscriptions: [] }
      : gift
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await soon(() => expect(useSession.getState().user?.email).toBe(link.email))
  expect(screen.queryByRole('heading', { name: 'We can’t open your gift just now.' })).toBeNull()
})

test('month: a recipient who has opened a gift can thank the giver, and what they typed survives a refusal', async () => {
  logIn()
  let isRefused = true
  answer = ({ method }) => {
    if (method === 'GET') return { ...gift, state: 'begun', claimedAt: gift.givenAt, thanks: 'possible' }
    if (isRefused)
      throw new NetProblem('refused', 422, { message: 'Please write it without links or addresses.' })
    return { ...gift, thanks: 'sent' }
  }
  open()
  const line = await screen.findByLabelText<HTMLInputElement>('Thank Nell Hart in one line')
  fireEvent.change(line, { target: { value: 'Thank you! See me.example' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Please write it without links or addresses.')).toBeTruthy()
  expect(line.value).toBe('Thank you! See me.example')
  isRefused = false
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Your thank you is on its way to Nell Hart.')).toBeTruthy()
  expect(asked().at(-1)).toBe('POST /api/subscriptions/gifts/g1/thanks')
})
