import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewcomer, opens } from '#tests/support/newcomer.ts'
import { sessionOf } from '#tests/support/session-of.ts'
import { tokensOf } from '#tests/support/stored-session.ts'

test.describe.configure({ timeout: 90_000 })

const main = (page: Page) => page.getByRole('main')
const save = (page: Page) =>
  main(page).getByRole('button', { name: /Save changes|Changes saved!|Ups! Error!/ })
const cancel = (page: Page) => main(page).getByRole('button', { name: 'Cancel' })

const PROFILE = {
  'First name': 'Nora',
  'Last name': 'Lind',
  Address: '1 Lamp Row',
  'Address line 2': 'Flat 2',
  City: 'Hull',
  County: 'East Yorkshire',
  'Post code': 'HU1 1AA',
}

test('ACC-28 ACC-31 ACC-35 ACC-32 ACC-33: all eight fields of the profile are kept; a save that fails says so for a while, and Cancel takes back what was changed', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await page.clock.install()
  await page.goto('/settings')
  await expect(main(page).getByLabel('First name')).toHaveValue('Una')
  await expect(cancel(page)).toBeDisabled()
  for (const [label, text] of Object.entries(PROFILE))
    await main(page).getByLabel(label, { exact: true }).fill(text)
  await main(page).getByLabel('Country').selectOption({ label: 'Ireland' })
  await expect(cancel(page)).toBeEnabled()
  await page.clock.pauseAt(Date.now() + 60_000)
  await save(page).click()
  await expectForAWhile(page, 'Changes saved!')
  await expect(cancel(page)).toBeDisabled()
  await page.clock.resume()

  await page.reload()
  for (const [label, text] of Object.entries(PROFILE))
    await expect(main(page).getByLabel(label, { exact: true })).toHaveValue(text)
  await expect(main(page).getByLabel('Country')).toHaveValue('IE')

  await main(page).getByLabel('City').fill('Goole')
  await page.route(/\/api\/users\/[0-9a-f-]+$/, (route) => route.fulfill({ status: 500, json: {} }))
  await page.clock.pauseAt(Date.now() + 120_000)
  await save(page).click()
  await expectForAWhile(page, 'Ups! Error!')
  await expect(main(page).getByLabel('City')).toHaveValue('Goole')
  await cancel(page).click()
  await expect(main(page).getByLabel('City')).toHaveValue('Hull')
  await expect(cancel(page)).toBeDisabled()
  // A menu that opens while the clock stands still hears no Escape yet.
  await page.clock.resume()
  const account = page.getByRole('menu', { name: 'Account' })
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await expect(account.getByText('Nora Lind')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(account).toBeHidden()

  await test.step('a name without a space is no wider than a phone', async () => {
    await page.unroute(/\/api\/users\/[0-9a-f-]+$/)
    await main(page).getByLabel('First name').fill('L'.repeat(100))
    await save(page).click()
    await expect(cancel(page)).toBeDisabled()
    await page.setViewportSize(PHONE)
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(wide).toBe(PHONE.width)
  })
})

/** On the button, by a clock that stands still otherwise. */
async function expectForAWhile(page: Page, words: string) {
  await expect(save(page)).toHaveText(words)
  await page.clock.runFor(4_900)
  await expect(save(page)).toHaveText(words)
  await page.clock.runFor(200)
  await expect(save(page)).toHaveText('Save changes')
}

test('NAV-08 ACC-30: newsletter and promotions are switched at once, each by itself; one’s devices are named and logged out, and one’s data is taken along', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const other = await tokensOf(shop.url, email)
  const page = await (await device({ of: email })).newPage()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page).toHaveTitle('Settings | Murmur')
  const devices = page.getByRole('region', { name: 'Where you are logged in' })
  const rows = devices.getByRole('listitem')
  await expect(rows.first()).toContainText('In use now')
  await expect(main(page).getByLabel('First name')).toHaveValue('Una')
  await expectAccessibleEverywhere(page)

  await test.step('newsletter and promotions', async () => {
    const newsletter = main(page).getByRole('switch', { name: /Newsletter/ })
    const promotions = main(page).getByRole('switch', { name: /Promotions/ })
    await expect(newsletter).not.toBeChecked()
    const answered = (path: string) => page.waitForResponse((answer) => answer.url().endsWith(path))
    await Promise.all([answered('/newsletter-update'), newsletter.check()])
    await Promise.all([answered('/promotion-update'), promotions.check()])
    await page.reload()
    await expect(newsletter).toBeChecked()
    await expect(promotions).toBeChecked()
    await Promise.all([answered('/newsletter-update'), newsletter.uncheck()])
    await page.reload()
    await expect(newsletter).not.toBeChecked()
    await expect(promotions).toBeChecked()
  })

  await test.step('another device is named and logged out, and this one stays', async () => {
    const strange = rows.filter({ hasNotText: 'In use now' }).first()
    await strange.getByRole('button', { name: 'Rename Unknown browser' }).click()
    await devices.getByLabel('Name of this device').fill('Kitchen tablet')
    await devices.getByRole('button', { name: 'Save' }).click()
    await expect(devices.getByText('Kitchen tablet')).toBeVisible()
    await devices.getByRole('button', { name: 'Log out everywhere else' }).click()
    await expect(rows).toHaveCount(1)
    const asOther = { headers: { xtoken: `Bearer ${other.token}` } }
    expect((await fetch(`${shop.url}/api/logged-user`, asOther)).status).toBe(401)
    await page.reload()
    await expect(rows.first()).toContainText('In use now')
  })

  await test.step('one’s own data is a file', async () => {
    const download = page.waitForEvent('download')
    await main(page).getByRole('button', { name: 'Download my data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('murmur-my-data.json')
    const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
    expect(data).toMatchObject({ profile: { email, firstName: 'Una' }, library: [], orders: [] })
  })
})

test('NAV-11 ACC-21 ACC-40 ACC-34 ACC-36: a new password is saved, this device stays in; deleting asks first, only Yes and the password delete, and then the account is gone', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.clock.install()
  await page.goto('/settings')
  await main(page).getByRole('link', { name: 'Change your password' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Change password' })).toBeVisible()
  await expect(main(page).getByLabel('Old password', { exact: true })).toBeVisible()
  await expectAccessibleEverywhere(page)
  const change = async (old: string, fresh: string) => {
    await main(page).getByLabel('Old password', { exact: true }).fill(old)
    await main(page).getByLabel('New password', { exact: true }).fill(fresh)
    await main(page).getByRole('button', { name: 'Change password' }).click()
  }
  await change('not-it-at-all', 'another-one')
  await expect(main(page).getByRole('alert')).toHaveText('Invalid credentials')
  await expect(main(page).getByLabel('New password', { exact: true })).toHaveValue('another-one')

  await page.clock.pauseAt(Date.now() + 60_000)
  await change('murmur-demo', 'another-one')
  const saved = main(page).getByText('Your new password is saved.')
  await expect(saved).toBeVisible()
  await page.clock.runFor(4_900)
  await expect(saved).toBeVisible()
  await page.clock.runFor(200)
  await expect(saved).toBeHidden()
  await page.clock.resume()
  expect(await opens(shop.url, email, 'murmur-demo')).toBe(false)
  expect(await opens(shop.url, email, 'another-one')).toBe(true)
  await mailTo(shop.url, email, /password was changed/)
  await page.goto('/settings')
  await expect(main(page).getByLabel('First name')).toHaveValue('Una')

  const question = page.getByRole('dialog', { name: 'Delete your account for good?' })
  const askToDelete = async () => {
    await main(page).getByRole('button', { name: 'Delete account' }).click()
    await expect(question).toBeVisible()
  }
  await askToDelete()
  await expectAccessibleEverywhere(page)
  await question.getByRole('button', { name: 'No' }).click()
  await expect(question).toBeHidden()
  await askToDelete()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  expect(await opens(shop.url, email, 'another-one')).toBe(true)

  await askToDelete()
  await question.getByLabel('Your password', { exact: true }).fill('murmur-demo')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(question.getByText('That isn’t your password')).toBeVisible()
  await question.getByLabel('Your password', { exact: true }).fill('another-one')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  expect(await opens(shop.url, email, 'another-one')).toBe(false)
})

test('ROLE-19 ROLE-20: /change-password and the orders of nobody ask a visitor to log in', async ({
  page,
}) => {
  for (const path of ['/change-password', '/orders']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/access-denied?from=${encodeURIComponent(path)}`)
  }
})

test('the settings say that the profile needs a connection, and the rest works without', async ({
  shop,
  device,
}) => {
  const context = await device({ worker: true, of: shop.someone('nell') })
  const page = await openPage(context, '/settings')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('Your profile needs a connection.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Player' })).toBeVisible()
})
