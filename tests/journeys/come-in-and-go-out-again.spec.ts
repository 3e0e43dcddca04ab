import { logIn, expect, DESKTOP, PHONE, test } from '#tests/support/journey.ts'
import { openPage } from '#tests/support/devices.ts'
import { sessionOf } from '#tests/support/session-of.ts'

test('SESS-01 SESS-03 SESS-14: log-in keeps the session on the device and loads the library, log-out removes it', async ({
  shop,
  device,
}) => {
  const page = await (await device({ viewport: DESKTOP })).newPage()
  const shelf = page.waitForResponse((response) => response.url().includes('/api/libraries'))
  const before = Date.now()
  await logIn(page, shop.someone('nell'))
  await expect(page).toHaveURL('/')
  const session = await sessionOf(page)
  expect(session.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(session.refresh_token).toBeTruthy()
  const refreshed = Date.parse(session.tokenRefreshedDate!)
  expect(refreshed).toBeGreaterThanOrEqual(before)
  expect(refreshed).toBeLessThanOrEqual(Date.now())
  expect((await shelf).ok()).toBe(true)

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
})

test('NAV-02: /login opens the log-in screen, by its address and from what needs an account', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expect(page).toHaveTitle('Log in | Murmur')
  await page.setViewportSize(PHONE)
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'You' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
})

test('ACC-03: the log-in button cannot be pressed while the form is invalid or on its way', async ({
  shop,
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto('/login')
  const button = page.getByRole('main').getByRole('button', { name: 'Log in' })
  await expect(button).toBeDisabled()
  await page.getByRole('main').getByLabel('Email').fill('not-an-address')
  await page.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await expect(button).toBeDisabled()
  await page.getByRole('main').getByLabel('Email').fill(shop.someone('nell'))
  await expect(button).toBeEnabled()

  let asked = 0
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/login', async (route) => {
    asked++
    await held
    await route.continue()
  })
  await button.click()
  await expect(button).toBeDisabled()
  await page.getByLabel('Password', { exact: true }).press('Enter')
  answer()
  await expect(page).toHaveURL('/')
  expect(asked).toBe(1)
})

test('ERR-12: a wrong password and an unknown address both show “Invalid credentials” and keep what was typed', async ({
  shop,
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/login')
  for (const email of [shop.someone('nell'), 'nobody@murmur.example']) {
    await page.getByRole('main').getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('murmur-wrong')
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid credentials' })).toBeVisible()
    await expect(page.getByRole('main').getByLabel('Email')).toHaveValue(email)
  }
  expect((await sessionOf(page)).token).toBeNull()
})

test('ROLE-15 ROLE-16: settings and library ask a visitor to log in, and the log-in leads back to them', async ({
  shop,
  device,
}) => {
  const page = await (await device()).newPage()
  for (const path of ['/settings', '/library']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/access-denied?from=${encodeURIComponent(path)}`)
    await expect(page.getByRole('heading', { name: 'This page needs an account' })).toBeVisible()
    await expect(page).toHaveTitle('This page needs an account | Murmur')
  }
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('main').getByLabel('Email').fill(shop.someone('nell'))
  await page.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/library')
  await expect(page.getByRole('link', { name: 'The Lamplighter’s Ledger' })).toBeVisible()
})

test('NAV-38: /library opens the listener’s library, by its address and by the account menu', async ({
  shop,
  device,
}) => {
  const page = await openPage(await device({ of: shop.someone('nell') }), '/library')
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
  await expect(page).toHaveTitle('Library | Murmur')
  await page.goto('/')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await expect(page).toHaveURL('/library')
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
})
