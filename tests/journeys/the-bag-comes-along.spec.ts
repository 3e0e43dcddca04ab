import type { Page } from '@playwright/test'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { line, main, openTill, putIntoBag } from '#tests/support/at-the-till.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 120_000 })

const cartId = (page: Page) => page.evaluate(() => localStorage.getItem('cartId'))
const count = (page: Page, words: string) =>
  expect(page.getByRole('banner').getByRole('button', { name: words, exact: true })).toBeVisible()

test('SESS-04 SESS-05 ENT-34: a guest’s bag joins the account’s at the log-in, what is owned as a gift, says so, and is forgotten by the device', async ({
  shop,
  device,
}) => {
  const email = shop.someone('nell')
  const before = await (await device({ of: email })).newPage()
  await putIntoBag(before, '/audiobooks/the-quiet-ferry')
  await putIntoBag(before, '/audiobooks/nine-winters')

  const page = await (await device()).newPage()
  await putIntoBag(page, '/audiobooks/nine-winters')
  await putIntoBag(page, '/ebooks/oak-gall')
  // Trap 29: owned already, which a guest's bag cannot know.
  await putIntoBag(page, '/audiobooks/the-lamplighters-ledger')
  expect(await cartId(page)).not.toBeNull()
  await logIn(page, email)
  const said = page.getByText('moved to your bag.')
  await expect(said).toContainText('Oak Gall')
  await expect(said).toContainText(
    'Nine Winters was already in it. You already own The Lamplighter’s Ledger, so it’s now in your bag as a gift.',
  )
  await expect.poll(() => cartId(page)).toBeNull()
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
    expect.arrayContaining(['refresh_token', 'token', 'tokenRefreshedDate']),
  )
  await count(page, 'Shopping bag, 4 items')
  await page.goto('/shopping-bag')
  for (const title of ['The Quiet Ferry', 'Nine Winters', 'Oak Gall', 'The Lamplighter’s Ledger'])
    await expect(line(page, title)).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'Send as a gift, The Lamplighter’s Ledger' })).toBeChecked()
})

test('SESS-13: somebody without a guest’s bag finds the account’s, and a log-out shows nobody’s', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const before = await (await device({ of: email })).newPage()
  await putIntoBag(before, '/audiobooks/the-quiet-ferry')
  const page = await (await device()).newPage()
  await logIn(page, email)
  await count(page, 'Shopping bag, 1 item')
  await page.goto('/shopping-bag')
  await expect(line(page, 'The Quiet Ferry')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await count(page, 'Shopping bag')
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})

test('a bag stays on the device while nobody answers, and joins with the next chance', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device()).newPage()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.route('**/apply-user', (route) => route.fulfill({ status: 503, body: '' }))
  await logIn(page, email)
  await expect.poll(() => cartId(page)).not.toBeNull()
  await page.unroute('**/apply-user')
  await page.reload()
  await count(page, 'Shopping bag, 1 item')
  await expect.poll(() => cartId(page)).toBeNull()
})

test('logging in at the till keeps the till, and pays for both bags', async ({ shop, device }) => {
  const email = await aNewcomer(shop.url)
  const before = await (await device({ of: email })).newPage()
  await putIntoBag(before, '/ebooks/oak-gall')
  const page = await (await device()).newPage()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  await openTill(page)
  await page.getByRole('button', { name: 'Already have an account? Log in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByLabel('Email', { exact: true }).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await dialog.getByRole('button', { name: 'Log in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/payment$/)
  const summary = page.getByRole('complementary', { name: 'Your bag' })
  await expect(summary).toContainText('The Quiet Ferry')
  await expect(summary).toContainText('Oak Gall')
  await expect(page.getByLabel('Email', { exact: true })).toHaveCount(0)
})
