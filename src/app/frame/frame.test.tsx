// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet, settings, type Exchange } from '#net/settings.ts'
import { becomeVisitor, currentSession } from '#session/store.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { soon } from '#tests/support/wait-for.ts'
import { appAt, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { usePopUp } from '../pop-ups/pop-up-store.ts'

const { main: entries } = demoFile('menus.json')
const MENU = listOf(entries.map((entry) => ({ style: null, ...entry })))
const NOBODY = settings.tokens

beforeEach(() => {
  configureNet({ tokens: NOBODY })
  becomeVisitor()
  usePopUp.setState({ open: null, wanted: false })
})
afterEach(cleanup)

const banner = () => within(screen.getByRole('banner'))
const button = (name: string) => banner().getByRole('button', { name })
const menu = () => screen.queryByRole('navigation', { name: 'Menu' })
const openMenu = async () => {
  await userEvent.click(button('Menu'))
  return within(await screen.findByRole('navigation', { name: 'Menu' }))
}

/** A page without requests of its own. */
const open = (answers: object = {}, address = '/login') => {
  shopAnswers({ '/api/menu_entries': MENU, ...answers })
  return appAt(address)
}

test('HDR-13 HDR-14 HDR-02: the menu has the shop’s links in their groups', async () => {
  await open()
  const shown = await openMenu()
  expect(shown.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Products',
    'Murmurations',
    'Links',
  ])
  for (const [name, address] of [
    ['Bookshops', '/info/audiobook-in-a-card'],
    ['Membership', '/subscription'],
    ['JOIN', '/sign-up'],
    ['Questions and answers', '/faq'],
    ['Support', '/info/support'],
    ['Terms and conditions', '/info/terms-conditions'],
    ['Privacy and cookies', '/info/terms-privacy-etc'],
    ['Starter guide', '/info/starter-guide'],
  ] as const)
    expect(shown.getByRole('link', { name }).getAttribute('href'), name).toBe(address)
})

test('HDR-01 HDR-15: the menu links to the four lists, with one entry in italics', async () => {
  await open()
  const shown = await openMenu()
  for (const [name, address] of [
    ['Browse', '/browse'],
    ['Editions', '/editions?_page=1&itemsPerPage=5'],
    ['Audiobooks', '/audiobooks?page=1&itemsPerPage=12'],
    ['Current highlights', '/subscriber-selection?page=1&itemsPerPage=12'],
  ] as const)
    expect(shown.getByRole('link', { name }).getAttribute('href'), name).toBe(address)
  const italics = entries.filter(({ style }) => style === 'Italic').map(({ title }) => title)
  expect([...menu()!.querySelectorAll('i')].map(({ textContent }) => textContent)).toEqual(italics)
})

test('without the shop’s menu, the menu has the header’s links', async () => {
  await open({
    '/api/menu_entries': () => {
      throw new NetProblem('server', 500)
    },
  })
  const shown = await openMenu()
  expect(shown.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Browse',
    'Audiobooks',
    'Editions',
    'Journal',
    'Membership',
  ])
})

test('HDR-06: one header menu is open at a time; Escape closes it and restores the focus', async () => {
  nellIsIn()
  await open({}, '/forgot-password')
  await openMenu()
  await userEvent.click(button('Account'))
  expect(await screen.findByRole('menuitem', { name: 'Library' })).toBeTruthy()
  // Panels open and close a paint after the press.
  await waitFor(() => expect(menu()).toBeNull())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(button('Account')))

  button('Menu').focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('navigation', { name: 'Menu' })
  await userEvent.tab()
  expect(document.activeElement).toBe(within(menu()!).getAllByRole('link')[0])
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(menu()).toBeNull())
  expect(document.activeElement).toBe(button('Menu'))
})

test('HDR-06: moving the focus out of the menu closes it', async () => {
  await open()
  const shown = await openMenu()
  shown.getAllByRole('link').at(-1)!.focus()
  expect(menu()).not.toBeNull()
  await userEvent.tab()
  await waitFor(() => expect(menu()).toBeNull())
})

test('HDR-11: only the home page has the banner, which links to the audiobooks in a card', async () => {
  await open({ '/api/homepage_panels': listOf([]), '/api/staff_pick_blocks': listOf([]) }, '/')
  const card = within(screen.getByRole('complementary', { name: 'An audiobook in a card' }))
  expect(card.getByRole('link').getAttribute('href')).toBe('/info/audiobook-in-a-card')
  cleanup()
  await open()
  expect(screen.queryByRole('complementary', { name: 'An audiobook in a card' })).toBeNull()
})

test('FTR-01 FTR-02 FTR-03: the footer has the shop’s links, the booksellers’ login, social links and the newsletter', async () => {
  await open({ '/api/f_a_q_categories': listOf([]) }, '/faq')
  const footer = within(await screen.findByRole('contentinfo'))
  const links = entries.filter(({ group }) => group === 'Links')
  const always = [
    { title: 'For booksellers', url: '/reseller' },
    { title: 'Withdraw from contract here', url: '/withdraw' },
  ]
  for (const { title, url } of [...links, ...always])
    expect((await footer.findByRole('link', { name: title })).getAttribute('href'), title).toBe(url)
  for (const name of ['Instagram', 'Mastodon', 'YouTube'])
    expect(footer.getByRole('link', { name }).getAttribute('href')).toMatch(/^https:\/\//)
  expect(footer.getByLabelText('Your email')).toBeTruthy()
  expect(footer.getByRole('button', { name: 'Subscribe' })).toBeTruthy()
})

test('after a payment and around a log-in there is no footer', async () => {
  nellIsIn()
  for (const address of [
    '/payment-successful',
    '/subscription-successful',
    '/subscription-successful-trial',
    '/payment-problem',
    '/forgot-password',
    '/reset-password/abc',
  ]) {
    await open({}, address)
    expect(screen.queryByRole('contentinfo'), address).toBeNull()
    cleanup()
  }
})

const dialog = (name: string) => screen.findByRole('dialog', { name })
const onlyOne = async (name: string) => {
  const found = await dialog(name)
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  return within(found)
}
test('paying: the page after a payment has no newsletter form', async () => {
  for (const kind of ['payment', 'subscription', 'subscription-trial', 'subscription-gift', 'xmas-gift']) {
    nellIsIn()
    const [of, way] = kind.split('-')
    const app = await open({}, `/${of}-successful${way ? `-${way}` : ''}`)
    await waitFor(() => expect(screen.getByRole('main').textContent).not.toBe(''))
    expect([app.at(), screen.queryByRole('contentinfo')]).toEqual([
      expect.stringContaining('-successful'),
      null,
    ])
    expect(screen.queryByRole('button', { name: /subscribe|sign up/i })).toBeNull()
    cleanup()
  }
})

const openLogIn = async () => {
  fireEvent.click(banner().getByRole('link', { name: 'Log in' }))
  return onlyOne('Log in')
}

test('HDR-17 AUTHUI-01: the header’s icon opens the login in place, and one of three pop-ups is open at a time', async () => {
  const app = await open({}, '/newsletter-signup')
  let shown = await openLogIn()
  await userEvent.click(shown.getByRole('button', { name: 'Join Murmur' }))
  shown = await onlyOne('Join Murmur')
  await userEvent.click(shown.getByRole('button', { name: 'I have an account' }))
  shown = await onlyOne('Log in')
  await userEvent.click(shown.getByRole('button', { name: 'Forgotten your password?' }))
  shown = await onlyOne('Forgotten your password?')
  await userEvent.click(shown.getByRole('button', { name: 'Back to log in' }))
  shown = await onlyOne('Log in')
  await userEvent.click(shown.getByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.at()).toBe('/newsletter-signup')
})

test('HDR-17: the icon is also a link, which opens the page in another tab', async () => {
  await open({}, '/newsletter-signup')
  const icon = banner().getByRole('link', { name: 'Log in' })
  expect(icon.getAttribute('href')).toBe('/login')
  // Prevented in the test window, which would navigate.
  let taken = true
  const onClick = (event: Event) => {
    taken = event.defaultPrevented
    event.preventDefault()
  }
  window.addEventListener('click', onClick)
  fireEvent.click(icon, { ctrlKey: true })
  window.removeEventListener('click', onClick)
  expect(taken).toBe(false)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('AUTHUI-04: requesting a new password in the pop-up shows that an email was sent', async () => {
  await open({ '/api/forgot_passwords': { id: 'asked' } }, '/newsletter-signup')
  const login = await openLogIn()
  await userEvent.click(login.getByRole('button', { name: 'Forgotten your password?' }))
  const asking = await onlyOne('Forgotten your password?')
  await userEvent.type(asking.getByLabelText('Email'), 'una@murmur.example')
  await userEvent.click(asking.getByRole('button', { name: 'Send the link' }))
  expect((await asking.findByText(/Please check your email/)).textContent).toContain('una@murmur.example')
})

test('AUTHUI-03 ERR-27: registering in the pop-up reports a taken address, or that an email was sent', async () => {
  await open(
    {
      'POST /api/users': ({ json }: Exchange) => {
        if ((json as { email: string }).email.startsWith('taken'))
          throw new NetProblem('refused', 422, { reason: 'email_taken' })
        return { token: tokenOf('una'), refresh_token: 'r1' }
      },
      '/api/logged-user': {
        uuid: 'una',
        firstName: 'Una',
        fullName: 'Una Reed',
        outlet: null,
        subscriptions: [],
      },
    },
    '/newsletter-signup',
  )
  const login = await openLogIn()
  await userEvent.click(login.getByRole('button', { name: 'Join Murmur' }))
  const form = await onlyOne('Join Murmur')
  for (const [label, text] of [
    ['First name', 'Una'],
    ['Last name', 'Reed'],
    ['Email', 'taken@murmur.example'],
    ['Password', 'murmur-demo'],
  ] as const)
    await userEvent.type(form.getByLabelText(label), text)
  await userEvent.selectOptions(form.getByLabelText('Country'), 'Ireland')
  await userEvent.click(form.getByRole('button', { name: 'Create account' }))
  expect((await form.findByRole('alert')).textContent).toBe(
    'This email already exists with a user account, please sign in',
  )
  await userEvent.clear(form.getByLabelText('Email'))
  await userEvent.type(form.getByLabelText('Email'), 'una@murmur.example')
  await userEvent.click(form.getByRole('button', { name: 'Create account' }))
  const mail = within(await dialog('Check your email'))
  expect(mail.getByText(/a verification link/).textContent).toContain('una@murmur.example')
  await soon(() => expect(currentSession().status).toBe('user'))
})

test('paying: a refusal that wants a proof opens one dialog for the password, and closing it gives up', async () => {
  await open()
  const { askForProof } = await import('../pop-ups/proof.ts')
  const { loadPopUp } = await import('../pop-ups/authentication.ts')
  const asked = askForProof(loadPopUp)
  expect(askForProof(loadPopUp)).toBe(asked)
  const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }))
  expect(dialog.getByLabelText('Password')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Not now' }))
  expect(await asked).toBe(false)
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull())
})
