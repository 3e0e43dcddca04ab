// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { useRedemption } from '#features/cards/store.ts'
import { becomeVisitor } from '#session/store.ts'
import { aCardShop, atAddress, refusal, SETTINGS, signIn, SPI_SIN } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'

const CODE = 'REDEEM-2345-6789'
const NOBODY = { stored: null, typed: '', redeemed: null, owned: null, notice: '' }
let outlet: { name: string } | null = null

vi.mock('#session/log-in.ts', () => ({
  logIn: async () => signIn({ outlet }),
  openSession: async () => signIn(),
}))
vi.mock('#features/account/mutations.ts', () => ({ register: async () => ({}) }))

beforeEach(() => {
  becomeVisitor()
  outlet = null
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  useRedemption.setState(NOBODY)
})

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const follow = async (name: string) => userEvent.click(await screen.findByRole('link', { name }))
const redeem = async (code: string) => {
  const field = await screen.findByLabelText('Redemption Code')
  await userEvent.clear(field)
  await userEvent.type(field, code)
  await press('Redeem your audiobook')
}
const logIn = async () => {
  await userEvent.type(await screen.findByLabelText('Email'), 'nell@murmur.example')
  await userEvent.type(screen.getByLabelText('Password'), 'murmur-demo')
  await press('Log in')
}
const register = async () => {
  for (const [label, text] of [
    ['Email', 'una@murmur.example'],
    ['First name', 'Una'],
    ['Last name', 'Reed'],
    ['Country', 'United Kingdom'],
    ['Password', 'eight-it-is'],
  ] as const)
    await userEvent.type(await screen.findByLabelText(label), text)
  await press('Create account')
}
const stored = () => JSON.parse(localStorage.getItem('redemptionCode') ?? 'null')

/** The same wizard twice: as it takes any code, and as a title's own. */
const GENERIC = { own: false, base: '/redemption', signUp: 'sign-up' }
const OF_A_TITLE = { own: true, base: `/redemption/${SPI_SIN}`, signUp: 'signup' }
type Wizard = typeof GENERIC

test('RDM-01 RDM-02: three steps, a field, a button that is enabled by a code, and a contact', async () => {
  aCardShop({})
  atAddress('/redemption')
  await heading(/^Someone handed you/)
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('h2')?.textContent)).toEqual([
    'Enter your code',
    'Sign in or create an account',
    'Open your library',
  ])
  const button = () => screen.getByRole('button', { name: 'Redeem your audiobook' })
  const field = screen.getByLabelText('Redemption Code')
  expect(button().getAttribute('aria-disabled')).toBe('true')
  await userEvent.type(field, '   ')
  expect(button().getAttribute('aria-disabled')).toBe('true')
  await userEvent.type(field, 'x')
  expect(button().getAttribute('aria-disabled')).toBeNull()
  const mailbox = await screen.findByRole('link', { name: SETTINGS.supportMail })
  expect(mailbox.getAttribute('href')).toBe(`mailto:${SETTINGS.supportMail}`)
})

test('RDM-03 RDM-24 ROLE-06: a visitor’s code waits until they have logged in, and is redeemed then', async () => {
  expect(await logsIn(GENERIC)).toBe(`${GENERIC.base}/welcome`)
})
test('RDM-19: of a title, a visitor’s code waits until they have logged in, and is redeemed then', async () => {
  expect(await logsIn(OF_A_TITLE)).toBe(`${OF_A_TITLE.base}/welcome`)
})
async function logsIn({ base, signUp }: Wizard) {
  const shop = aCardShop({ [CODE]: {} })
  const { path } = atAddress(base)
  await redeem(` ${CODE} `)
  await heading('Congratulations')
  expect(path()).toBe(`${base}/confirmation`)
  screen.getByText(/is ready for you/)
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe(
    `${base}/${signUp}`,
  )
  expect(shop.asked).toEqual([`GET ${CODE}`])
  await follow('Log in')
  expect(path()).toBe(`${base}/login`)
  await logIn()
  await heading('Welcome Nell')
  expect(path()).toBe(`${base}/welcome`)
  expect(shop.cards[CODE]?.redeemed).toBe(true)
  expect(stored()).toBeNull()
  return path()
}

test('RDM-25: a visitor’s code waits until they have an account', async () => {
  expect(await signsUp(GENERIC)).toBe(`${GENERIC.base}/welcome`)
})
test('RDM-26: of a title, a visitor’s code waits until they have an account', async () => {
  expect(await signsUp(OF_A_TITLE)).toBe(`${OF_A_TITLE.base}/welcome`)
})
async function signsUp({ base, signUp }: Wizard) {
  const shop = aCardShop({ [CODE]: {} })
  const { path } = atAddress(base)
  await redeem(CODE)
  await follow('Create an account')
  expect(path()).toBe(`${base}/${signUp}`)
  await register()
  await heading('Welcome Nell')
  expect(shop.cards[CODE]?.redeemed).toBe(true)
  return path()
}

test('RDM-15 RDM-10: a reader who is in is led straight to the welcome', async () => {
  expect(await isIn(GENERIC)).toBe(`${GENERIC.base}/welcome`)
})
test('RDM-27: of a title, a reader who is in is led straight to the welcome', async () => {
  expect(await isIn(OF_A_TITLE)).toBe(`${OF_A_TITLE.base}/welcome`)
})
async function isIn({ base }: Wizard) {
  signIn()
  const shop = aCardShop({ [CODE]: {} })
  const { path, queryClient } = atAddress(base)
  await queryClient.prefetchInfiniteQuery(libraryQuery('nell'))
  await redeem(CODE)
  await heading('Welcome Nell')
  expect(path()).toBe(`${base}/welcome`)
  expect(shop.asked.filter((each) => each !== 'library')).toEqual([`GET ${CODE}`, `POST ${CODE}`])
  expect(queryClient.getQueryState(libraryQuery('nell').queryKey)?.isInvalidated).toBe(true)
  for (const [name, href] of [
    ['Open your library', '/library'],
    ['Audiobooks', '/audiobooks'],
    ['Murmurations', '/murmurations'],
  ] as const)
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href)
  screen.getByRole('heading', { name: 'Corner House Books earns from this too' })
  return path()
}

test('RDM-04 RDM-11 RDM-13: a step without its data leads back to the form', async () => {
  expect(await standWithoutCode(GENERIC)).toEqual([GENERIC.base])
})
test('RDM-04 RDM-05 RDM-06: who is in has no use for what leads in', async () => {
  expect(await standForWhoIsIn(GENERIC)).toEqual([GENERIC.base])
})
test('RDM-28: for one title, a step without its data or for a logged-in user leads back to the form', async () => {
  expect(await standWithoutCode(OF_A_TITLE)).toEqual([OF_A_TITLE.base])
  expect(await standForWhoIsIn(OF_A_TITLE)).toEqual([OF_A_TITLE.base])
})
async function standWithoutCode({ base }: Wizard) {
  aCardShop({})
  const ends = new Set<string>()
  for (const step of ['confirmation', 'welcome', 'error']) {
    const { path } = atAddress(`${base}/${step}`)
    await screen.findByLabelText('Redemption Code')
    ends.add(path())
    cleanup()
  }
  return [...ends]
}
async function standForWhoIsIn({ own, base, signUp }: Wizard) {
  aCardShop({})
  signIn()
  const ends = new Set<string>()
  for (const step of ['confirmation', 'login', signUp]) {
    useRedemption.setState({
      stored: { code: CODE, bookshop: 'B', audioBook: {} as never, spiSIN: own ? SPI_SIN : null },
    })
    const { path } = atAddress(`${base}/${step}`)
    await screen.findByLabelText('Redemption Code')
    ends.add(path())
    cleanup()
  }
  return [...ends]
}

test('RDM-17 RDM-30 ERR-22: a code that was redeemed meanwhile is reported, and the library is refetched', async () => {
  expect(await cameTooLate(GENERIC)).toBe(`${GENERIC.base}/error`)
})
test('RDM-23: for one title, a code that was redeemed meanwhile is reported, and the library is refetched', async () => {
  expect(await cameTooLate(OF_A_TITLE)).toBe(`${OF_A_TITLE.base}/error`)
})
async function cameTooLate({ base }: Wizard) {
  signIn()
  aCardShop({ [CODE]: { refuses: refusal(422, 'already_redeemed') } })
  const { path, queryClient } = atAddress(base)
  await queryClient.prefetchInfiniteQuery(libraryQuery('nell'))
  await redeem(CODE)
  await heading('Oops!')
  expect(path()).toBe(`${base}/error`)
  screen.getByText(/has already been redeemed\. Please check with the person who gave you the card\./)
  expect(queryClient.getQueryState(libraryQuery('nell').queryKey)?.isInvalidated).toBe(true)
  return path()
}

test('RDM-18 ERR-20 ERR-21: an unknown code is not recognised, and nothing is redeemed', async () => {
  expect(await mistypes(GENERIC)).toBe(`${GENERIC.base}/error`)
})
test('RDM-12: Try again leads back to the code that was not recognised', async () => {
  await mistypes(GENERIC)
  await press('Try again')
  expect((await screen.findByLabelText<HTMLInputElement>('Redemption Code')).value).toBe('WRONG-2345')
})
test('RDM-22: for one title, an unknown code is not recognised, and Try again leads back to it', async () => {
  expect(await mistypes(OF_A_TITLE)).toBe(`${OF_A_TITLE.base}/error`)
  await press('Try again')
  expect((await screen.findByLabelText<HTMLInputElement>('Redemption Code')).value).toBe('WRONG-2345')
})
async function mistypes({ base }: Wizard) {
  const shop = aCardShop({})
  const { path } = atAddress(base)
  await redeem('WRONG-2345')
  await heading('Oops!')
  screen.getByText('There has been a problem redeeming your audiobook.')
  screen.getByText(
    /The redemption code you’ve entered has not been recognised\. Please check for typos and try again\./,
  )
  screen.getByText(/Contact support/)
  expect(shop.asked).toEqual(['GET WRONG-2345'])
  return path()
}

test('RDM-21: of a title, a code that is found redeemed is refused as such, and nothing is tried', async () => {
  signIn()
  const shop = aCardShop({ [CODE]: { redeemed: true } })
  const { path } = atAddress(`/redemption/${SPI_SIN}`)
  await redeem(CODE)
  await heading('Oops!')
  screen.getByText(/already been redeemed/)
  expect(path()).toBe(`/redemption/${SPI_SIN}/error`)
  expect(shop.asked).toEqual([`GET ${CODE}`])
})

test('RDM-29: of a title, a code of another title redeems nothing', async () => {
  signIn()
  const shop = aCardShop({ [CODE]: { ofTitle: '9001000000024' } })
  atAddress(`/redemption/${SPI_SIN}`)
  await redeem(CODE)
  await heading('Oops!')
  screen.getByText(/not been recognised/)
  expect(shop.cards[CODE]?.redeemed).toBeUndefined()
})

test('RDM-20 NAV-42: a title that does not exist, and a step that does not, are not found', async () => {
  aCardShop({})
  for (const address of [
    '/redemption/9001000000000',
    '/redemption/9001000000000/login',
    `/redemption/${SPI_SIN}/enter`,
  ]) {
    atAddress(address)
    expect(await screen.findByText(/not found/i)).toBeTruthy()
    cleanup()
  }
})

test('RDM-14 ENT-21: code, bookshop and title outlive the page, and are gone from every tab when they were used', async () => {
  const shop = aCardShop({ [CODE]: {} })
  atAddress('/redemption')
  await redeem(CODE)
  await heading('Congratulations')
  expect(stored()).toMatchObject({
    code: CODE,
    bookshop: 'Corner House Books',
    audioBook: { title: 'Tin Whistle Winter' },
  })

  // Another page of the device: it begins with what is kept there.
  cleanup()
  vi.resetModules()
  const { useRedemption: again } = await import('#features/cards/store.ts')
  expect(again.getState().stored?.code).toBe(CODE)

  const { path } = atAddress('/redemption/confirmation')
  await heading('Congratulations')
  // Used in another tab.
  localStorage.removeItem('redemptionCode')
  window.dispatchEvent(new StorageEvent('storage', { key: 'redemptionCode' }))
  await screen.findByLabelText('Redemption Code')
  expect(path()).toBe('/redemption')
  expect(shop.asked).toEqual([`GET ${CODE}`])
})

test('ENT-21 RDM-04: who logs in in another tab finds the code in the field, ready to be redeemed', async () => {
  aCardShop({ [CODE]: {} })
  atAddress('/redemption')
  await redeem(CODE)
  await heading('Congratulations')
  sessionStorage.clear()
  useRedemption.setState({ typed: '' })
  signIn()
  expect((await screen.findByLabelText<HTMLInputElement>('Redemption Code')).value).toBe(CODE)
  await press('Redeem your audiobook')
  await heading('Welcome Nell')
})

test('RDM-16: a bookshop’s account goes to its desk, and spends nothing', async () => {
  outlet = { name: 'Corner House Books' }
  const shop = aCardShop({ [CODE]: {} })
  const { path } = atAddress('/redemption')
  await redeem(CODE)
  await follow('Log in')
  await logIn()
  await screen.findByText('/activation')
  expect(path()).toBe('/activation')
  expect(shop.cards[CODE]?.redeemed).toBeUndefined()
})

test.each([GENERIC, OF_A_TITLE])(
  'ERR-22: too many tries, a broken answer and silence keep form and code at $base',
  async ({ base }) => {
    const shop = aCardShop({ [CODE]: {} })
    const { path } = atAddress(base)
    for (const [problem, words] of [
      [refusal(429, 'Please wait a minute.'), 'Please wait a minute.'],
      [new NetProblem('server', 500), 'Something went wrong, please try again'],
      [new NetProblem('offline', 0), /needs a connection/],
    ] as const) {
      shop.down = problem
      await redeem(CODE)
      expect((await screen.findByRole('alert')).textContent).toMatch(words)
      expect(path()).toBe(base)
      expect(screen.getByLabelText<HTMLInputElement>('Redemption Code').value).toBe(CODE)
    }
    shop.down = undefined
    await press('Redeem your audiobook')
    await heading('Congratulations')
  },
)

test('ERR-22: where that happens after the log-in, the code is back in its form', async () => {
  const shop = aCardShop({ [CODE]: {} })
  const { path } = atAddress('/redemption')
  await redeem(CODE)
  await follow('Log in')
  shop.down = new NetProblem('server', 503)
  await logIn()
  expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong, please try again')
  expect(path()).toBe('/redemption')
  expect(screen.getByLabelText<HTMLInputElement>('Redemption Code').value).toBe(CODE)
  expect(stored()).toMatchObject({ code: CODE })
})

test('an owner of the title is told before the code is used, and can pass the card on', async () => {
  signIn()
  for (const card of [{ owned: true }, { refuses: refusal(422, 'already_owned') }]) {
    const shop = aCardShop({ [CODE]: card })
    atAddress('/redemption')
    await redeem(CODE)
    await heading(/^You already have/)
    screen.getByText(CODE)
    const share = vi.fn().mockResolvedValue(undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }))
    await press('Pass it on')
    expect(share.mock.calls[0]?.[0]).toMatchObject({ url: expect.stringMatching(`/redemption#${CODE}$`) })
    expect(shop.cards[CODE]?.redeemed).toBeUndefined()
    expect(stored()).toBeNull()
    vi.unstubAllGlobals()
    await follow('Redeem another code')
    expect((await screen.findByLabelText<HTMLInputElement>('Redemption Code')).value).toBe('')
    cleanup()
  }
})

test('an answer that was lost is no refusal: the title came by this very card', async () => {
  signIn()
  aCardShop({ [CODE]: { redeemed: true, owned: true, refuses: refusal(422, 'redeemed_by_you') } })
  atAddress('/redemption')
  await redeem(CODE)
  expect(await heading('Welcome Nell')).toBeTruthy()
})

test('a QR code leads in with its code, which no address keeps', async () => {
  aCardShop({})
  const { router } = atAddress(`/redemption/${SPI_SIN}#${CODE}`)
  await soon(() => expect(screen.getByLabelText<HTMLInputElement>('Redemption Code').value).toBe(CODE))
  expect(router.state.location.href).toBe(`/redemption/${SPI_SIN}`)
  expect(router.history.length).toBe(1)
})

test('NAV-41 NAV-42: either spelling of sign-up redirects to the one of its wizard', async () => {
  aCardShop({})
  for (const [asked, is] of [
    ['/redemption/signup', '/redemption/sign-up'],
    [`/redemption/${SPI_SIN}/sign-up`, `/redemption/${SPI_SIN}/signup`],
  ] as const) {
    const { path } = atAddress(asked)
    await screen.findByRole('button', { name: 'Create account' })
    expect(path()).toBe(is)
    cleanup()
  }
})
