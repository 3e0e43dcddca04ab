import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import {
  agree,
  CARD,
  fillInBuyer,
  h1,
  main,
  openTill,
  ordersOf,
  payByCard,
  payNow,
  putIntoBag,
  shelfOf,
  typeCard,
} from '#tests/support/at-the-till.ts'
import { aNewAddress, aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 150_000 })

const summary = (page: Page) => page.getByRole('complementary', { name: 'Your bag' })
const box = (page: Page) => summary(page).getByLabel('Discount code')
const apply = (page: Page) => summary(page).getByRole('button', { name: 'Apply' })

async function enter(page: Page, code: string) {
  await box(page).fill(code)
  await apply(page).click()
}
async function atTill(page: Page, ...paths: string[]) {
  for (const path of paths) await putIntoBag(page, path)
  await page.goto('/payment')
  await openTill(page)
}

test('PAY-03 DISC-02 DISC-03 PAY-35 PAY-44: a code is looked at, and its price stands beside the old one', async ({
  page,
}) => {
  await atTill(page, '/audiobooks/the-quiet-ferry', '/ebooks/nine-winters')
  await fillInBuyer(page, aNewAddress('buyer'))
  await agree(page)
  await typeCard(page, CARD.good)
  await expect(payNow(page)).toBeEnabled()
  await expect(apply(page)).toBeDisabled()
  await box(page).fill('  welcome20 ')
  await expect(apply(page)).toBeEnabled()

  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/apply-coupon', async (route) => {
    await held
    await route.continue()
  })
  await apply(page).click()
  await expect(apply(page)).toBeDisabled()
  await expect(payNow(page)).toBeDisabled()
  answer()
  await expect(summary(page).getByText('WELCOME20')).toBeVisible()
  await expect(summary(page)).toContainText('20% off your bag')
  // £19.49 less a fifth is £15.592, rounded up to a whole pound (DISC-09).
  await expect(summary(page).getByRole('definition').last()).toHaveText('£19.49£16.00')
  await expect(summary(page).getByRole('definition').last().locator('s')).toHaveText('£19.49')
  await expect(payNow(page)).toBeEnabled()
  await expectAccessibleEverywhere(page)
  await summary(page).getByRole('button', { name: 'Remove code WELCOME20' }).click()
  await expect(summary(page).getByRole('definition').last()).toHaveText('£19.49')
})

test('DISC-11 ERR-05: a code that is unknown, ended or for memberships only is not valid here', async ({
  page,
}) => {
  await atTill(page, '/audiobooks/the-quiet-ferry')
  for (const code of ['NOSUCHCODE', 'LASTYEAR', 'MEMBER50']) {
    await enter(page, code)
    await expect(summary(page).getByText('This discount code is not valid')).toBeVisible()
    await expect(summary(page).getByRole('definition').last()).toHaveText('£11.00')
    await box(page).fill('')
  }
  await page.route('**/apply-coupon', (route) => route.abort())
  await enter(page, 'WELCOME20')
  await expect(summary(page).getByText('Error applying discount')).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('a code that the account used already says so', async ({ device }) => {
  const page = await (await device({ of: 'nell@murmur.example' })).newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry')
  await enter(page, 'ONEUSE')
  await expect(summary(page).getByText('This discount code was already used')).toBeVisible()
  await page.goto('/shopping-bag')
  await main(page).getByRole('button', { name: 'Remove The Quiet Ferry' }).click()
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})

test('DISC-04: coming to the till takes off the code of before', async ({ page }) => {
  await atTill(page, '/audiobooks/the-quiet-ferry')
  await enter(page, 'WELCOME20')
  await expect(summary(page).getByText('WELCOME20')).toBeVisible()
  const gone = page.waitForRequest(
    (request) => request.url().endsWith('/apply-coupon') && request.postData() === '{"couponCode":null}',
  )
  await page.reload()
  await gone
  await openTill(page)
  await expect(box(page)).toHaveValue('')
  await expect(summary(page).getByRole('definition').last()).toHaveText('£11.00')
})

test('ORDER-10 ORDER-08: a purchase with a code is charged what was shown, and the code goes with its bag', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry')
  await enter(page, 'FIVER')
  await expect(summary(page).getByRole('definition').last()).toHaveText('£11.00£6.00')
  await payByCard(page)
  await expect(h1(page, /Thank you/)).toBeVisible()
  expect((await ordersOf(page))[0]).toMatchObject({ amount: 6, couponCode: 'FIVER' })
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
  await atTill(page, '/audiobooks/nine-winters')
  await expect(summary(page).getByRole('definition').last()).toHaveText('£16.00')
  await expect(box(page)).toHaveValue('')
})

test('PAY-29 PAY-36 PAY-49: a code of everything hides the card and completes a free order', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry', '/ebooks/nine-winters')
  // The cheapest book alone is no free order.
  await enter(page, 'CHEAPEST')
  await expect(summary(page).getByRole('definition').last()).toHaveText('£19.49£11.00')
  await expect(page.getByLabel('Name on card')).toBeVisible()
  await summary(page).getByRole('button', { name: 'Remove code CHEAPEST' }).click()
  await enter(page, 'BOOKGIFT')
  await expect(summary(page).getByRole('definition').last()).toHaveText('£19.49£0.00')
  const number = page.locator('iframe[title="Secure card number input frame"]')
  await expect(page.getByLabel('Name on card')).toBeHidden()
  await expect(number).toBeHidden()
  // Taken off again, the card's fields stand where they were.
  await summary(page).getByRole('button', { name: 'Remove code BOOKGIFT' }).click()
  await expect(number).toBeVisible()
  await enter(page, 'BOOKGIFT')
  await expect(number).toBeHidden()
  await expectAccessibleEverywhere(page)
  await page.getByRole('button', { name: 'Complete free order' }).click()
  await expect(page).toHaveURL(/\/payment-successful$/)
  await expect(h1(page, /Thank you/)).toBeVisible()
  expect(await ordersOf(page)).toMatchObject([{ amount: 0, status: 'paid' }])
  expect((await shelfOf(page)).sort()).toEqual(['audiobooks/the-quiet-ferry', 'ebooks/nine-winters'])
})

test('PAY-30 PAY-48: a free order for which the server names a page goes there, and the button says so', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry')
  await enter(page, 'BOOKGIFT')
  await page.route('**/checkout', async (route) => {
    const answer = await route.fetch()
    const checkout = (await answer.json()) as object
    await route.fulfill({ json: { ...checkout, clientSecret: null, url: `${shop.url}/info/about` } })
  })
  await page.evaluate(() =>
    new MutationObserver(() => {
      if (/Go to checkout/.test(document.querySelector('form button[type=submit]')?.textContent ?? ''))
        sessionStorage.setItem('said', 'Go to checkout')
    }).observe(document.body, { subtree: true, childList: true, characterData: true }),
  )
  await page.getByRole('button', { name: 'Complete free order' }).click()
  await expect(page).toHaveURL(/\/info\/about$/)
  expect(await page.evaluate(() => sessionStorage.getItem('said'))).toBe('Go to checkout')
})

test('a total that changed meanwhile is said, and not charged', async ({ shop, device }) => {
  const context = await device({ of: await aNewcomer(shop.url) })
  const page = await context.newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry')
  await typeCard(page, CARD.good)
  await agree(page)
  // Another tab adds a book; this one still shows what it showed.
  const other = await context.newPage()
  await putIntoBag(other, '/audiobooks/nine-winters')
  await page.route('**/api/carts/own', (route) => route.abort())
  await payNow(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing has been charged yet.' })).toContainText(
    'The total has changed',
  )
  expect(await ordersOf(page)).toEqual([])
})

test('PAY-43: it cannot be sent while a gift has no address', async ({ shop, device }) => {
  const page = await (await device({ of: shop.someone('nell') })).newPage()
  await atTill(page, '/audiobooks/the-lamplighters-ledger')
  await typeCard(page, CARD.good)
  await agree(page)
  await expect(payNow(page)).toBeDisabled()
  await expect(page.getByText('A gift in your bag still needs an email address.')).toBeVisible()
})
