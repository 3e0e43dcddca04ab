// Covers: account, session
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewcomer, opens } from '#tests/support/newcomer.ts'
import { sessionOf } from '#tests/support/session-keys.ts'
import { tokensOf } from '#tests/support/stored-session.ts'

const main = (page: Page) => page.getByRole('main')

const PROFILE = {
  'First name': 'Nora',
  'Last name': 'Lind',
  Address: '1 Lamp Row',
  'Address line 2': 'Flat 2',
  City: 'Hull',
  County: 'East Yorkshire',
  'Post code': 'HU1 1AA',
}

test('NAV-08 ACC-28 ACC-30: profile and email settings survive a reload; devices are renamed and logged out, and data is exported', async ({
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
  const field = (label: string) => main(page).getByLabel(label, { exact: true })
  const newsletter = main(page).getByRole('switch', { name: /Newsletter/ })
  const promotions = main(page).getByRole('switch', { name: /Promotions/ })
  await expect(field('First name')).toHaveValue('Una')
  await expect(newsletter).not.toBeChecked()

  await main(page).getByText('Addresses').click()
  for (const [label, text] of Object.entries(PROFILE)) await field(label).fill(text)
  await main(page).getByLabel('Country').selectOption({ label: 'Ireland' })
  await main(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(main(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
  const answered = (path: string) => page.waitForResponse((answer) => answer.url().endsWith(path))
  await Promise.all([answered('/newsletter-update'), newsletter.check()])
  await Promise.all([answered('/promotion-update'), promotions.check()])
  await page.reload()
  for (const [label, text] of Object.entries(PROFILE)) await expect(field(label)).toHaveValue(text)
  await expect(main(page).getByLabel('Country')).toHaveValue('IE')
  await expect(newsletter).toBeChecked()
  await expect(promotions).toBeChecked()

  await test.step('another device is renamed and logged out, and this one stays logged in', async () => {
    const strange = rows.filter({ hasNotText: 'In use now' }).first()
    await strange.getByRole('button', { name: 'Rename Unknown browser' }).click()
    await devices.getByLabel('Name of this device').fill('Kitchen tablet')
    await devices.getByRole('button', { name: 'Save' }).click()
    await expect(devices.getByText('Kitchen tablet')).toBeVisible()
    await devices.getByRole('button', { name: 'Log out everywhere else' }).click()
    const question = page.getByRole('dialog', { name: 'Log out everywhere else?' })
    await expect(question).toContainText('downloads and saved books')
    await question.getByRole('button', { name: 'Log out and remove' }).click()
    await expect(rows).toHaveCount(1)
    const asOther = { headers: { xtoken: `Bearer ${other.token}` } }
    expect((await fetch(`${shop.url}/api/logged-user`, asOther)).status).toBe(401)
  })

  await test.step('the user’s data is downloaded as a file', async () => {
    const download = page.waitForEvent('download')
    await main(page).getByRole('button', { name: 'Download my data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('murmur-my-data.json')
    const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
    expect(data).toMatchObject({ profile: { email, firstName: 'Nora' }, library: [], orders: [] })
  })

  await test.step('a name without spaces fits a phone', async () => {
    await field('First name').fill('L'.repeat(100))
    await main(page)
      .getByRole('button', { name: /Save changes|Changes saved!/ })
      .click()
    await expect(main(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
    await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
    await expect(page.getByRole('menu', { name: 'Account' }).getByText(/^L{100}/)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.setViewportSize(PHONE)
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
    await expect.poll(wide).toBe(PHONE.width)
  })
})

test('ACC-21 ACC-36: this device stays logged in after a password change; confirming with the password deletes the account', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.goto('/settings')
  await main(page).getByRole('link', { name: 'Change your password' }).click()
  const change = async (old: string, fresh: string) => {
    await main(page).getByLabel('Old password', { exact: true }).fill(old)
    await main(page).getByLabel('New password', { exact: true }).fill(fresh)
    await main(page).getByRole('button', { name: 'Change password' }).click()
  }
  await change('not-it-at-all', 'another-one')
  await expect(main(page).getByRole('alert')).toHaveText('Invalid credentials')
  await change('murmur-demo', 'another-one')
  await expect(main(page).getByText('Your new password is saved.')).toBeVisible()
  expect(await opens(shop.url, email, 'murmur-demo')).toBe(false)
  expect(await opens(shop.url, email, 'another-one')).toBe(true)
  await mailTo(shop.url, email, /password was changed/)
  await page.goto('/settings')
  await expect(main(page).getByLabel('First name')).toHaveValue('Una')

  await main(page).getByRole('button', { name: 'Delete account' }).click()
  const question = page.getByRole('dialog', { name: 'Delete your account for good?' })
  await question.getByLabel('Your password', { exact: true }).fill('another-one')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  expect(await opens(shop.url, email, 'another-one')).toBe(false)
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  await expect.poll(databases).toEqual(['murmur-device'])
})
