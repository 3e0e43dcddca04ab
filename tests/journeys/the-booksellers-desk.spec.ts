import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'

test.describe.configure({ timeout: 90_000 })

const OUTLET = 'corner@murmur.example'
const main = (page: Page) => page.getByRole('main')
const atDesk = async (page: Page) => {
  await expect(page).toHaveURL('/activation')
  await expect(page.getByRole('heading', { level: 1, name: 'Activate card' })).toBeVisible()
}

test('ACC-05 SESS-06 NAV-40 SESS-12: a bookshop’s account comes to its desk, and is taken there from everywhere but two pages', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/login?from=%2Flibrary')
  await main(page).getByLabel('Email', { exact: true }).fill(OUTLET)
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await atDesk(page)
  for (const path of ['/', '/library', '/audiobooks?page=1&itemsPerPage=12', '/nothing-here']) {
    await page.goto(path)
    await atDesk(page)
  }
  await page.goto('/reseller')
  await expect(main(page).getByRole('link', { name: 'Activate a card' })).toBeVisible()
  // Also within the shop, without a load.
  await main(page).getByRole('link', { name: 'get in touch' }).click()
  await atDesk(page)
  await page.goto('/server-error')
  await expect(page.getByRole('heading', { level: 1, name: 'Internal Server Error' })).toBeVisible()
  await expect(page).toHaveURL('/server-error')
})

test('RESL-01 RESL-03 NAV-57: booksellers read what cards bring, log in, and have no shop around them', async ({
  page,
}) => {
  await page.goto('/reseller')
  await expect(page.getByRole('heading', { level: 1, name: 'For booksellers' })).toBeVisible()
  for (const benefit of [
    'No upfront costs',
    '60% wholesale discount',
    '10% commission on future customer purchases',
    'Monthly catalogue additions',
  ])
    await expect(main(page).getByRole('listitem').filter({ hasText: benefit })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'get in touch' })).toHaveAttribute(
    'href',
    '/info/support',
  )
  const banner = page.getByRole('banner')
  for (const name of ['Search', 'Shopping bag', 'Menu'])
    await expect(banner.getByRole('button', { name })).toHaveCount(0)
  await expect(banner.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expectAccessibleEverywhere(page)

  await main(page).getByLabel('Email', { exact: true }).fill(OUTLET)
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await atDesk(page)
  for (const name of ['Search', 'Shopping bag', 'Menu'])
    await expect(banner.getByRole('button', { name })).toHaveCount(0)
  await expectAccessibleEverywhere(page)
  await expect(banner.getByText('Corner House Books')).toBeVisible()
  await banner.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/reseller')
})

test('RESL-02 SESS-07: at the desk’s address a visitor comes to the booksellers’ page and a listener home, and a listener is asked to log out before a bookshop logs in', async ({
  shop,
  device,
}) => {
  const visitor = await (await device()).newPage()
  await visitor.goto('/activation')
  await expect(visitor).toHaveURL('/reseller')

  const page = await (await device({ of: shop.someone('nell') })).newPage()
  await page.goto('/activation')
  await expect(page).toHaveURL('/')
  await page.goto('/reseller')
  await expect(main(page).getByText('please log out first')).toBeVisible()
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveCount(0)
  await main(page).getByRole('button', { name: 'Log out' }).click()
  await expect(main(page).getByLabel('Email', { exact: true })).toBeVisible()
})
