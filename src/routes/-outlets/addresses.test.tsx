// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stayAtPointOfSale } from '#app/start/stay-at-point-of-sale.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { nell, SETTINGS, signIn } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { aBook } from '#tests/support/title-lists.tsx'
import { appAt, listOf, openApp, shopAnswers } from '#tests/support/app.tsx'

vi.mock('#session/log-in.ts', () => ({ logIn: async () => becomeBookshop() }))
vi.mock('#session/session.ts', async (original) => ({
  ...(await original<object>()),
  logOut: async () => becomeVisitor(),
}))
beforeEach(becomeVisitor)
afterEach(() => {
  cleanup()
  localStorage.clear()
})

const becomeBookshop = () => {
  const user = nell({ outlet: { name: 'Corner House Books' }, subscriptions: [] })
  becomeUser(null, user)
  return user
}
const open = (address: string) => openApp(address, { '/api/settings/1': SETTINGS, '/api/settings': SETTINGS })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const main = () => within(screen.getByRole('main'))

test('RESL-01 RESL-03: booksellers read what cards bring, find whom to ask, and log in to come to their desk', async () => {
  const { path } = await open('/reseller')
  await heading('For booksellers')
  expect(
    main()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'No upfront costs',
    '60% wholesale discount',
    '10% commission on future customer purchases',
    'Monthly catalogue additions',
  ])
  for (const [name, href] of [
    ['get in touch', '/info/support'],
    ['0191 496 0142', 'tel:01914960142'],
    ['bookshops@murmur.example', 'mailto:bookshops@murmur.example'],
  ] as const)
    expect((await main().findByRole('link', { name })).getAttribute('href')).toBe(href)
  await userEvent.type(main().getByLabelText('Email'), 'corner@murmur.example')
  await userEvent.type(main().getByLabelText('Password'), 'murmur-demo')
  await userEvent.click(main().getByRole('button', { name: 'Log in' }))
  await heading('Activate card')
  expect(path()).toBe('/activation')
})

test('RESL-03: booksellers see a card of a real title, and what it leaves in their till', async () => {
  await openApp('/reseller', {
    '/api/settings/1': SETTINGS,
    '/api/audio_books': listOf([aBook(7, { slug: 'peat', price: 12 })]),
    '/api/card_sums/peat': { sold: 12, invoiced: 4.8, keeps: 7.2, commission: 1 },
  })
  await heading('For booksellers')
  expect(await main().findByText('An audiobook in a card')).toBeTruthy()
  const sum = (await main().findAllByRole('definition')).map(({ textContent }) => textContent)
  expect(sum).toEqual(['£12.00', '−£4.80', '£7.20', '+£1.00'])
  expect(main().getByRole('link', { name: 'Bookshop log in' }).getAttribute('href')).toBe('#log-in')
})

test('RESL-10: a bookshop asks for a starter pack in place; what it typed stays after a refusal', async () => {
  let refuses = true
  const { asked } = shopAnswers({
    '/api/settings/1': SETTINGS,
    'POST /api/starter_packs': () => {
      if (refuses) throw new NetProblem('refused', 429, { message: 'Please try again in an hour.' })
      return {}
    },
  })
  await appAt('/reseller')
  const offer = await main().findByRole('button', { name: 'Ask for a starter pack' })
  await userEvent.click(offer)
  expect(offer.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement).toBe(main().getByLabelText('Your bookshop'))
  await userEvent.click(main().getByRole('button', { name: 'Send' }))
  for (const words of ['Fill in your shop’s name', 'Fill in your name', 'Fill in the town we’d post them to'])
    expect(await main().findByText(words)).toBeTruthy()
  await userEvent.type(main().getByLabelText('Your bookshop'), ' Corner House Books ')
  await userEvent.type(main().getByLabelText('Your name'), 'Una Reed')
  await userEvent.type(main().getByLabelText('Your email'), 'una@corner.example')
  await userEvent.type(main().getByLabelText('Postal town'), 'Whitby')
  await userEvent.selectOptions(main().getByLabelText('How many'), '2 packs, 48 cards')
  await userEvent.click(main().getByRole('button', { name: 'Send' }))
  expect((await main().findByRole('alert')).textContent).toBe('Please try again in an hour.')
  expect(main().getByLabelText<HTMLInputElement>('Postal town').value).toBe('Whitby')
  refuses = false
  await userEvent.click(main().getByRole('button', { name: 'Send' }))
  const thanks = await main().findByText(/We’ve emailed a copy to una@corner\.example/)
  expect(document.activeElement).toBe(thanks)
  expect(main().queryByRole('button', { name: 'Ask for a starter pack' })).toBeNull()
  expect(asked.findLast(({ path }) => path === '/api/starter_packs')?.json).toEqual({
    ...{ shop: 'Corner House Books', name: 'Una Reed', email: 'una@corner.example' },
    ...{ town: 'Whitby', packs: 2 },
  })
})

test('NAV-40 NAV-57: around the page of booksellers and around their desk there is no shop', async () => {
  for (const [address, name] of [
    ['/reseller', 'For booksellers'],
    ['/activation', 'Activate card'],
  ] as const) {
    becomeBookshop()
    const { path } = await open(address)
    await heading(name)
    const banner = within(await screen.findByRole('banner'))
    await banner.findByText('Corner House Books')
    for (const each of ['Search', /^Shopping bag/, 'Menu', 'Account'])
      expect(screen.queryByRole('button', { name: each })).toBeNull()
    for (const role of ['navigation', 'contentinfo', 'search']) expect(screen.queryByRole(role)).toBeNull()
    expect(banner.getByRole('button', { name: 'Log out' })).toBeTruthy()
    expect(path()).toBe(address)
    cleanup()
  }
})

test('SESS-07: at the desk’s address a visitor comes to the booksellers’ page, and a listener home', async () => {
  const visitor = await open('/activation')
  await heading('For booksellers')
  expect(visitor.path()).toBe('/reseller')
  cleanup()
  signIn({ subscriptions: [] })
  const { path } = await open('/activation')
  await soon(() => expect(path()).toBe('/'))
})

test('RESL-02: a listener is asked to log out before a bookshop can log in', async () => {
  signIn({ subscriptions: [] })
  await open('/reseller')
  await screen.findByText(/please log out first/)
  expect(main().queryByLabelText('Email')).toBeNull()
  await userEvent.click(main().getByRole('button', { name: 'Log out' }))
  expect(await main().findByLabelText('Email')).toBeTruthy()
})

test('SESS-06 SESS-12: from every other address a bookshop’s account is taken to its desk, but for what says that something failed', async () => {
  becomeBookshop()
  const { router, path } = await open('/library')
  stayAtPointOfSale(router)
  await heading('Activate card')
  for (const [address, ends] of [
    ['/reseller', '/reseller'],
    ['/audiobooks?page=1&itemsPerPage=12', '/activation'],
    ['/server-error', '/server-error'],
    ['/nothing-here', '/activation'],
    ['/subscription-details', '/activation'],
  ] as const) {
    router.history.push(address)
    await heading(HEADINGS[ends])
    await soon(() => expect([address, path()]).toEqual([address, ends]))
  }
})

const HEADINGS = {
  '/activation': 'Activate card',
  '/reseller': 'For booksellers',
  '/server-error': 'Internal Server Error',
}
