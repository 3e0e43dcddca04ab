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

test('ACC-05 SESS-06 NAV-40 SESS-12 ROLE-14: a bookshop’s account comes to its desk, is taken there from everywhere but two pages, and asks for nothing that it may not have', async ({
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
  // Also within the shop, without a load.
  await main(page).getByRole('link', { name: 'get in touch' }).click()
  await atDesk(page)
  await page.goto('/server-error')
  await expect(page.getByRole('heading', { level: 1, name: 'Internal Server Error' })).toBeVisible()
  await expect(page).toHaveURL('/server-error')
  expect(refused).toEqual([])
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
  for (const [name, href] of [
    ['0191 496 0142', 'tel:01914960142'],
    ['bookshops@murmur.example', 'mailto:bookshops@murmur.example'],
  ] as const)
    await expect(main(page).getByRole('link', { name })).toHaveAttribute('href', href)
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
  // A phone's header has no room for it.
  await page.setViewportSize({ width: 1280, height: 800 })
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

test('RESL-05 RESL-07 ERR-19 ROLE-14: the desk by keyboard, at a scanner’s speed', async ({ device }) => {
  const page = await (await device({ of: OUTLET })).newPage()
  await page.goto('/activation')
  const field = page.getByLabel('Activation code')
  await expect(field).toBeFocused()
  const today = page.getByRole('region', { name: 'Today' })
  const result = (name: string) => page.getByRole('heading', { level: 2, name })
  await expectAccessibleEverywhere(page)

  // A scanner presses Enter after each, and waits for nothing.
  for (const end of ['0011', '0012', '0013']) {
    await page.keyboard.type(`NEWCARD-2345-${end}`)
    await page.keyboard.press('Enter')
  }
  for (const end of ['0011', '0012', '0013']) await expect(today.getByText(`ends ${end}`)).toBeVisible()
  await expect(result('The card has been activated.')).toBeVisible()
  await expect(main(page).getByText('It ends 0013.')).toBeVisible()
  await expect(field).toHaveValue('')
  await expectAccessibleEverywhere(page)

  await page.keyboard.type('NEWCARD-2345-0012')
  await page.keyboard.press('Enter')
  await expect(result('Already activated')).toBeVisible()
  await expect(main(page).getByText('card already activated')).toBeVisible()
  await expectAccessibleEverywhere(page)

  await page.keyboard.type('NEWCARD-2345-OOOO')
  await page.keyboard.press('Enter')
  await expect(result('Not recognised')).toBeVisible()
  await expect(field).toHaveValue('NEWCARD-2345-OOOO')
  await expectAccessibleEverywhere(page)

  await today.getByRole('button', { name: /^Take back .*0013$/ }).press('Enter')
  await expect(today.getByText('Taken back')).toBeVisible()

  await page.context().setOffline(true)
  await field.fill('NEWCARD-2345-0014')
  await field.press('Enter')
  await expect(result('No connection')).toBeVisible()
  await expect(field).toHaveValue('NEWCARD-2345-0014')
  await page.context().setOffline(false)
  await field.press('Enter')
  await expect(result('The card has been activated.')).toBeVisible()
})

test('a camera is asked for at the desk, in the desk’s own document, and what it can’t see is typed', async ({
  device,
}) => {
  const desk = await device({ of: OUTLET })
  const page = await desk.newPage()
  // In by another door: this document has no right to a camera, and the desk's own is loaded.
  await page.goto('/reseller')
  await main(page).getByRole('link', { name: 'Activate a card' }).click()
  await atDesk(page)
  await page.getByRole('button', { name: 'Scan' }).click()
  await expect(main(page).getByText(/^(We can’t use a camera here|Hold the barcode)/)).toBeVisible()
  const answer = await page.request.get('/activation')
  expect(answer.headers()['permissions-policy']).toContain('camera=(self)')
  expect((await page.request.get('/reseller')).headers()['permissions-policy']).toContain('camera=()')
})
