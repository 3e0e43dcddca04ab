// Covers: outlets, cards, account
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'

const OUTLET = 'corner@murmur.example'
const main = (page: Page) => page.getByRole('main')
const atDesk = async (page: Page) => {
  await expect(page).toHaveURL('/activation')
  await expect(page.getByRole('heading', { level: 1, name: 'Activate card' })).toBeVisible()
}

test('ACC-05 SESS-06 SESS-12: a bookshop’s account arrives at the point of sale, is redirected there from all but two pages, and requests nothing that is forbidden to it', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  const refused: string[] = []
  page.on('response', (answer) => void (answer.status() === 403 && refused.push(answer.url())))
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
  // Also through a link inside the app, without a page load.
  await main(page).getByRole('link', { name: 'get in touch' }).click()
  await atDesk(page)
  await page.goto('/server-error')
  await expect(page.getByRole('heading', { level: 1, name: 'Internal Server Error' })).toBeVisible()
  await expect(page).toHaveURL('/server-error')
  expect(refused).toEqual([])
  await page.goto('/activation')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/reseller')
})
