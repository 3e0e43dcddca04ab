// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountEntries } from '#app/menus/account-entries.tsx'
import { removeValue, writeValue } from '#storage/values.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, settings, type Exchange } from '#net/settings.ts'
import { restore, startSession } from '#session/session.ts'
import { becomeUser, becomeVisitor, currentSession } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { appAt, arrivedAt, heading, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'
import { fromShop } from '#tests/support/shop-response.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'

const NOBODY = settings.tokens
const main = () => within(screen.getByRole('main'))
const press = (name: string) => userEvent.click(main().getByRole('button', { name }))
const href = (name: string) => main().getByRole('link', { name }).getAttribute('href')

beforeEach(() => {
  localStorage.clear()
  configureNet({ tokens: NOBODY })
  becomeVisitor()
  shopAnswers({})
})
afterEach(cleanup)

describe('what needs an account', () => {
  /** Opens the path as a visitor (where it redirects, where the log-in link returns to), then as a user. */
  const askedFor = async (path: string) => {
    const denied = await appAt(path)
    await heading('This page needs an account')
    const back = href('Log in')
    const title = document.title
    cleanup()
    nellIsIn()
    const inside = await appAt(path)
    await screen.findByRole('heading', { level: 1 })
    const stays = inside.at()
    cleanup()
    becomeVisitor()
    return { denied: denied.at(), title, back, stays }
  }
  const deniedAt = (path: string) => ({
    denied: `/access-denied?from=${encodeURIComponent(path)}`,
    title: 'This page needs an account | Murmur',
    back: `/login?from=${encodeURIComponent(path)}`,
    stays: path,
  })

  test('ROLE-15 ROLE-16: the settings and the library ask only visitors to log in', async () => {
    expect(await askedFor('/settings')).toEqual(deniedAt('/settings'))
    expect(await askedFor('/library')).toEqual(deniedAt('/library'))
  })

  test('ROLE-19 ROLE-20: so do the change of a password and the orders', async () => {
    expect(await askedFor('/change-password')).toEqual(deniedAt('/change-password'))
    expect(await askedFor('/orders')).toEqual(deniedAt('/orders'))
  })

  test('SESS-09: loading a page with a refused session leads to the log-in and back, and remembers the user', async () => {
    localStorage.setItem('token', 'nonsense')
    localStorage.setItem('refresh_token', 'nonsense')
    await writeValue('rememberedUser', { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' })
    const stop = startSession()
    const type = 'application/ld+json'
    configureNet({
      fetch: async () => fromShop('{}', { status: 401, headers: { 'content-type': type } }),
    })
    try {
      await restore()
      const app = await appAt('/settings')
      await arrivedAt(app, '/login?from=%2Fsettings')
      expect(await screen.findByText(/Welcome back, Nell/)).toBeTruthy()
      expect([localStorage.getItem('token'), localStorage.getItem('refresh_token')]).toEqual([null, null])
    } finally {
      stop()
      becomeVisitor()
      await removeValue('rememberedUser')
    }
  })

  test('ROLE-17: there is no administrator page', async () => {
    nellIsIn()
    for (const path of ['/admin', '/administration', '/dashboard']) {
      await appAt(path)
      expect(await heading('Page not found')).toBeTruthy()
      cleanup()
    }
    expect(JSON.stringify(accountEntries().map(({ key, label }) => [key, label]))).not.toMatch(
      /admin|manage users/i,
    )
  })
})

describe('log in', () => {
  test('NAV-02 ACC-01: asks for address and password, and leads to a new password and a new account', async () => {
    await appAt('/login')
    expect(await heading('Log in')).toBeTruthy()
    expect(document.title).toBe('Log in | Murmur')
    expect(main().getByLabelText('Email')).toBeTruthy()
    expect(main().getByLabelText('Password').getAttribute('type')).toBe('password')
    expect(href('Forgotten your password?')).toBe('/forgot-password')
    expect(href('Join Murmur')).toBe('/sign-up')
  })

  test('ACC-04: a logged-in user is sent to the settings, or to the membership if that was requested', async () => {
    nellIsIn()
    for (const [address, leads] of [
      ['/login', '/settings'],
      ['/login?type=subscription', '/subscription-details'],
    ] as const) {
      const app = await appAt(address)
      await soon(() => expect(app.at()).toBe(leads))
      cleanup()
    }
  })
})

describe('join', () => {
  test('NAV-03 ACC-06 ACC-12: asks for six things, and cannot be sent before a country is chosen', async () => {
    await appAt('/sign-up')
    expect(await heading('Join Murmur')).toBeTruthy()
    expect(document.title).toBe('Join Murmur | Murmur')
    for (const label of ['First name', 'Last name', 'Country', 'Email', 'Password'])
      expect(main().getByLabelText<HTMLInputElement>(label).value, label).toBe('')
    expect(main().getByLabelText<HTMLInputElement>('Send me the newsletter').checked).toBe(true)
    const isOff = () => main().getByRole('button', { name: 'Create account' }).getAttribute('aria-disabled')
    expect(isOff()).toBe('true')
    await userEvent.selectOptions(main().getByLabelText('Country'), 'Ireland')
    expect(isOff()).toBeNull()
    expect(href('I have an account')).toBe('/login')
  })

  test('NAV-04 ACC-07: the app’s variant has the same form, no frame around it, and no way out', async () => {
    await appAt('/app-sign-up')
    expect(await heading('Join Murmur')).toBeTruthy()
    for (const part of ['banner', 'contentinfo', 'navigation']) expect(screen.queryByRole(part)).toBeNull()
    expect(screen.queryByRole('link', { name: 'I have an account' })).toBeNull()
    expect(main().getByLabelText('First name')).toBeTruthy()
  })

  test('ACC-13 OP-04: who comes by a gift’s link, in either spelling, joins with the gift’s address', async () => {
    for (const spelling of ['/signup', '/sign-up']) {
      const app = await appAt(`${spelling}?email=greta@murmur.example&token=gift-token`)
      await heading('Join Murmur')
      const email = main().getByLabelText<HTMLInputElement>('Email')
      expect([email.value, email.readOnly]).toEqual(['greta@murmur.example', true])
      expect(app.router.state.location).toMatchObject({
        pathname: '/sign-up',
        search: { email: 'greta@murmur.example', token: 'gift-token' },
      })
      cleanup()
    }
  })

  test('ACC-14 ACC-39: a logged-in user is sent to the settings, and with a gift to where it is claimed', async () => {
    nellIsIn()
    await arrivedAt(await appAt('/sign-up'), '/settings')
    cleanup()
    for (const [type, path] of [
      ['', '/get-book'],
      ['&type=subscription', '/get-subscription'],
    ] as const) {
      // The gift's page continues from there.
      const app = await appAt('/newsletter-signup')
      const visited: string[] = []
      app.router.history.subscribe(({ location }) => visited.push(location.href))
      app.router.history.push(`/sign-up?email=greta@murmur.example${type}`)
      await soon(() => expect(visited).toContain(`${path}?email=greta%40murmur.example`))
      cleanup()
    }
  })
})

describe('a new password', () => {
  const UUID = '11111111-1111-4111-8111-111111111111'
  const answers = (more: object = {}) =>
    shopAnswers({ 'POST /api/forgot_passwords': { id: 'asked' }, ...more })
  const ask = async () => {
    await appAt('/forgot-password')
    await heading('Forgotten your password?')
    await userEvent.type(main().getByLabelText('Email'), 'una@murmur.example')
    await press('Send the link')
    await screen.findByText(/Please check your email/)
  }
  const sent = (asked: Exchange[]) =>
    asked.filter(({ method }) => method === 'PATCH').map(({ path, json }) => [path, json])

  test('NAV-05: /forgot-password asks for an address, and says where the link went', async () => {
    const { asked } = answers()
    await ask()
    expect(document.title).toBe('Forgotten your password? | Murmur')
    expect(screen.getByText(/Please check your email/).textContent).toContain('una@murmur.example')
    expect(asked.find(({ method }) => method === 'POST')?.json).toEqual({ email: 'una@murmur.example' })
  })

  test('trap 23: where the link opens elsewhere, the code of the same mail is typed in', async () => {
    const { asked } = answers({ 'PATCH /api/forgot_passwords/asked': {} })
    await ask()
    await userEvent.type(main().getByLabelText('Code from the email'), '1234-5678')
    await userEvent.type(main().getByLabelText('New password'), 'another-one')
    await press('Reset Password')
    await screen.findByText(/^Your new password is set. You can log in/)
    expect(sent(asked)).toEqual([
      ['/api/forgot_passwords/asked', { resetToken: '1234-5678', password: 'another-one' }],
    ])
  })

  test('NAV-06 ACC-18: the link’s screen has one password, which can be looked at', async () => {
    await appAt(`/reset-password/${UUID}?token=mailed`)
    expect(await heading('CHOOSE A NEW PASSWORD')).toBeTruthy()
    const password = main().getByLabelText('New password')
    expect(document.querySelectorAll('main input')).toHaveLength(1)
    expect(password.getAttribute('type')).toBe('password')
    await press('Show password')
    expect(password.getAttribute('type')).toBe('text')
    await press('Hide password')
    expect(password.getAttribute('type')).toBe('password')
    expect(main().getByRole('button', { name: 'Reset Password' })).toBeTruthy()
  })

  test('ACC-17 ACC-20: the account is the path’s third part, the token the query’s, and the log-in comes after', async () => {
    const { asked } = answers({ [`PATCH /api/forgot_passwords/${UUID}`]: {} })
    await appAt(`/reset-password/${UUID}?token=mailed`)
    await userEvent.type(await main().findByLabelText('New password'), 'another-one')
    await press('Reset Password')
    expect(await screen.findByText(/^Your new password is set. You can log in/)).toBeTruthy()
    expect(sent(asked)).toEqual([
      [`/api/forgot_passwords/${UUID}`, { resetToken: 'mailed', password: 'another-one' }],
    ])
    expect(main().queryByLabelText('New password')).toBeNull()
    expect(href('Log in')).toBe('/login')
  })

  test('ACC-20: who is in and resets their own password has nothing more to do', async () => {
    nellIsIn()
    answers({ [`PATCH /api/forgot_passwords/${UUID}`]: {} })
    await appAt(`/reset-password/${UUID}?token=mailed`)
    await userEvent.type(await main().findByLabelText('New password'), 'another-one')
    await press('Reset Password')
    expect(await main().findByText('Your new password is set.')).toBeTruthy()
    expect(main().queryByRole('link', { name: 'Log in' })).toBeNull()
  })

  test('ERR-14: a link that no longer works says what is wrong with it, and what was typed stays', async () => {
    const old = new NetProblem('refused', 404, { description: 'This link no longer works.' })
    answers({
      [`PATCH /api/forgot_passwords/${UUID}`]: () => {
        throw old
      },
    })
    await appAt(`/reset-password/${UUID}?token=mailed`)
    await userEvent.type(await main().findByLabelText('New password'), 'another-one')
    await press('Reset Password')
    expect((await screen.findByRole('alert')).textContent).toBe('This link no longer works.')
    expect(main().getByLabelText<HTMLInputElement>('New password').value).toBe('another-one')
  })

  test('NAV-11: /change-password asks for the old one and the new one', async () => {
    nellIsIn()
    await appAt('/change-password')
    expect(await heading('Change password')).toBeTruthy()
    expect(main().getByLabelText('Old password')).toBeTruthy()
    expect(main().getByLabelText('New password')).toBeTruthy()
  })
})

describe('a confirming link', () => {
  const needsPassword = new NetProblem('refused', 422, {
    violations: [{ propertyPath: 'password', message: 'Enter your password' }],
  })
  const confirming = (answer: (json: { password?: string }) => unknown) =>
    shopAnswers({
      '/api/user_confirmation/confirm': ({ json }: Exchange) => answer(json as { password?: string }),
      '/api/logged-user': { ...currentSession().user, confirmed: true },
    })

  test('NAV-07 ACC-24: asks a visitor for the password, welcomes, and shows where to begin', async () => {
    const { asked } = confirming(({ password }) => {
      if (!password) throw needsPassword
      return { email: 'una@murmur.example' }
    })
    await appAt('/confirm/mailed')
    await userEvent.type(await main().findByLabelText('Password'), 'murmur-demo')
    await press('Confirm my email')
    expect(await heading('Welcome')).toBeTruthy()
    expect(asked.at(-1)?.json).toEqual({ confirmationToken: 'mailed', password: 'murmur-demo' })
    for (const [name, path] of [
      ['Audiobooks', '/audiobooks'],
      ['Current highlights', '/subscriber-selection'],
      ['Editions', '/editions'],
      ['Murmurations', '/murmurations'],
      ['Membership', '/subscription'],
    ] as const)
      expect(href(name)).toBe(path)
  })

  test('ERR-16: that confirms nothing says so, with a way to get in touch', async () => {
    confirming(() => {
      throw new NetProblem('refused', 422)
    })
    await appAt('/confirm/not-a-link-of-ours')
    expect(
      await screen.findByText(/We’re sorry, there seems to have been an error verifying your account/),
    ).toBeTruthy()
    expect(href('Get in touch')).toBe('/info/support')
  })

  test('ACC-23: confirms for a logged-in user, and the settings show it', async () => {
    nellIsIn({ confirmed: false })
    localStorage.setItem('token', tokenOf('nell'))
    const { asked } = confirming(() => ({ email: 'nell@murmur.example' }))
    await arrivedAt(await appAt('/confirm/mailed'), '/settings?confirmed=1')
    expect(asked.find(({ method }) => method === 'POST')?.json).toEqual({ confirmationToken: 'mailed' })
    expect(await screen.findByText('Thank you. Your address is confirmed.')).toBeTruthy()
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Confirm your email' })).toBeNull()
  })
})

describe('the settings', () => {
  const question = () => screen.queryByRole('dialog', { name: 'Delete your account for good?' })
  const askToDelete = async () => {
    await press('Delete account')
    return screen.findByRole('dialog', { name: 'Delete your account for good?' })
  }

  test('ACC-34: deleting asks first, and neither No nor Escape nor a wrong password deletes', async () => {
    nellIsIn()
    const violations = [{ propertyPath: 'password', message: 'That isn’t your password' }]
    const { asked } = shopAnswers({
      '/api/devices': listOf([]),
      'GET /api/users/nell/delete-account': {
        amount: 12,
        memberships: [{ plan: 1, gift: false, trial: false, outcome: 'back' }],
        freeAudiobooks: 2,
      },
      'POST /api/users/nell/delete-account': () => {
        throw new NetProblem('refused', 422, { violations })
      },
    })
    const app = await appAt('/settings')
    await heading('Settings')
    await userEvent.click(within(await askToDelete()).getByRole('button', { name: 'No' }))
    await waitFor(() => expect(question()).toBeNull())
    await askToDelete()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(question()).toBeNull())
    const deletions = () =>
      asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/delete-account')).length
    expect(deletions()).toBe(0)

    const dialog = within(await askToDelete())
    expect(await dialog.findByText('£12.00 goes back to where it came from')).toBeTruthy()
    expect(dialog.getByText(/Your membership \(Avid Reader, monthly\) ends straight away/)).toBeTruthy()
    expect(dialog.getByText('The 2 free audiobooks you haven’t chosen go with it.')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Yes' }))
    await userEvent.type(dialog.getByLabelText('Your password'), 'not-it-at-all')
    await userEvent.click(dialog.getByRole('button', { name: 'Yes' }))
    expect(await dialog.findByText('That isn’t your password')).toBeTruthy()
    expect(deletions()).toBe(1)
    expect(
      asked.find(({ method, path }) => method === 'POST' && path.endsWith('/delete-account'))?.json,
    ).toEqual({
      password: 'not-it-at-all',
      amount: 12,
    })
    expect(app.at()).toBe('/settings')
    expect(currentSession().status).toBe('user')
  })

  test('logging out everywhere else first says what will be removed, and does it once confirmed', async () => {
    nellIsIn()
    const device = (id: string, current: boolean) => ({
      ...{ id, name: 'Chrome on Android', browser: 'Chrome on Android', current },
      ...{ lastSeenAt: '2026-11-24T10:00:00Z', loggedInAt: '2026-11-24T10:00:00Z' },
    })
    const { asked } = shopAnswers({
      '/api/devices': listOf([device('here', true), device('there', false)]),
      'POST /api/devices/log-out-others': {},
      'POST /api/devices/there/log-out': {},
    })
    await appAt('/settings')
    await heading('Settings')
    const logOuts = () => asked.filter(({ method }) => method === 'POST').map(({ path }) => path)
    await userEvent.click(await main().findByRole('button', { name: 'Log out everywhere else' }))
    const question = within(await screen.findByRole('dialog', { name: 'Log out everywhere else?' }))
    expect(question.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'downloads and saved books',
      'your library, queue and shelves',
      'places, bookmarks and notes, including any that haven’t reached us yet',
    ])
    expect(question.getByText(/^Where one stays offline, that happens after 30 days/)).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Not now' }))
    expect(logOuts()).toEqual([])
    await userEvent.click(main().getByRole('button', { name: 'Log out everywhere else' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Log out and remove' }))
    await soon(() => expect(logOuts()).toEqual(['/api/devices/log-out-others']))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(main().getByRole('button', { name: 'Log out Chrome on Android' }))
    await screen.findByRole('dialog', { name: 'Log out Chrome on Android?' })
    await userEvent.click(screen.getByRole('button', { name: 'Log out and remove' }))
    await soon(() => expect(logOuts().at(-1)).toBe('/api/devices/there/log-out'))
  })

  test('ACC-30: newsletter and promotions are switched at once and separately, and back after a failure', async () => {
    const user = nellIsIn()
    const { asked } = shopAnswers({
      '/api/devices': listOf([]),
      '/api/users/nell/newsletter-update': { ...user, newsletter: true },
      '/api/users/nell/promotion-update': () => {
        throw new NetProblem('server', 500)
      },
    })
    await appAt('/settings')
    await heading('Settings')
    const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name })
    await userEvent.click(box(/Newsletter/))
    expect(box(/Newsletter/).checked).toBe(true)
    await userEvent.click(box(/Promotions/))
    await waitFor(() => expect(box(/Promotions/).checked).toBe(false))
    expect(box(/Newsletter/).checked).toBe(true)
    expect(asked.filter(({ method }) => method === 'PATCH').map(({ json }) => json)).toEqual([
      { newsletter: true },
      { promotions: true },
    ])
  })

  test('a lost connection is shown at once over open forms', async () => {
    nellIsIn()
    shopAnswers({ '/api/devices': listOf([]) })
    await appAt('/settings')
    await heading('Settings')
    expect(screen.queryByText(/can’t be saved now/)).toBeNull()
    act(() => connectivity.lost())
    expect(screen.getByText(/your account can’t be saved now/)).toBeTruthy()
    connectivity.stop()
  })

  test('without a connection they say that the profile needs one, and the rest is there', async () => {
    becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, null)
    await appAt('/settings')
    configureNet({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
    connectivity.lost()
    expect(await screen.findByText(/Your profile needs a connection./)).toBeTruthy()
    for (const name of ['Player', 'Appearance', 'Downloads', 'Account'])
      expect(screen.getByRole('heading', { level: 2, name })).toBeTruthy()
    expect(screen.queryByLabelText('First name')).toBeNull()
    connectivity.stop()
  })
})
