import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
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
const total = (page: Page) => summary(page).getByRole('definition').last()
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

test('PAY-03 DISC-11 DISC-04 PAY-35 PAY-44: a code is looked at, and its price stands beside the old one; one that is not valid says so', async ({
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
  await expect(total(page)).toHaveText('£19.49£16.00')
  await expect(total(page).locator('s')).toHaveText('£19.49')
  await expect(payNow(page)).toBeEnabled()
  await expectAccessibleEverywhere(page)

  await test.step('coming to the till takes off the code of before', async () => {
    const gone = page.waitForRequest(
      (request) => request.url().endsWith('/apply-coupon') && request.postData() === '{"couponCode":null}',
    )
    await page.reload()
    await gone
    await openTill(page)
    await expect(box(page)).toHaveValue('')
    await expect(total(page)).toHaveText('£19.49')
  })

  await test.step('a code that is unknown, ended or for memberships only is not valid here', async () => {
    for (const code of ['NOSUCHCODE', 'LASTYEAR', 'MEMBER50']) {
      await enter(page, code)
      await expect(summary(page).getByText('This discount code is not valid')).toBeVisible()
      await expect(total(page)).toHaveText('£19.49')
      await box(page).fill('')
    }
    await page.route('**/apply-coupon', (route) => route.abort())
    await enter(page, 'WELCOME20')
    await expect(summary(page).getByText('Error applying discount')).toBeVisible()
    await expectAccessibleInBoth(page)
  })
})

test('PAY-43: it cannot be sent while a gift has no address; a code that the account used already says so', async ({
  device,
}) => {
  const page = await (await device({ of: 'nell@murmur.example' })).newPage()
  await atTill(page, '/audiobooks/the-lamplighters-ledger')
  await enter(page, 'ONEUSE')
  await expect(summary(page).getByText('This discount code was already used')).toBeVisible()
  await typeCard(page, CARD.good)
  await agree(page)
  await expect(payNow(page)).toBeDisabled()
  await expect(page.getByText('A gift in your bag still needs an email address.')).toBeVisible()
  await page.goto('/shopping-bag')
  await main(page).getByRole('button', { name: 'Remove The Lamplighter’s Ledger' }).click()
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})

test('ORDER-10 ORDER-08: a purchase with a code is charged what was shown, nothing where that changed, and the code goes with its bag', async ({
  shop,
  device,
}) => {
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
  await page.unroute('**/api/carts/own')

  await page.goto('/payment')
  await openTill(page)
  await enter(page, 'FIVER')
  await expect(total(page)).toHaveText('£27.00£22.00')
  await payByCard(page)
  await expect(h1(page, /Thank you/)).toBeVisible()
  expect((await ordersOf(page))[0]).toMatchObject({ amount: 22, couponCode: 'FIVER' })
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
  await atTill(page, '/ebooks/oak-gall')
  await expect(total(page)).toHaveText('£5.99')
  await expect(box(page)).toHaveValue('')
})

test('PAY-29 PAY-49 PAY-30 PAY-48: a code of everything hides the card and completes a free order, or goes where the server names a page', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await atTill(page, '/audiobooks/the-quiet-ferry', '/ebooks/nine-winters')
  // The cheapest book alone is no free order.
  await enter(page, 'CHEAPEST')
  await expect(total(page)).toHaveText('£19.49£11.00')
  await expect(page.getByLabel('Name on card')).toBeVisible()
  await summary(page).getByRole('button', { name: 'Remove code CHEAPEST' }).click()
  await enter(page, 'BOOKGIFT')
  await expect(total(page)).toHaveText('£19.49£0.00')
  const number = page.locator('iframe[title="Secure card number input frame"]')
  await expect(page.getByLabel('Name on card')).toBeHidden()
  await expect(number).toBeHidden()

  await test.step('a page that the server names is gone to, and the button says so', async () => {
    await page.route('**/checkout', (route) =>
      route.fulfill({
        json: {
          success: true,
          message: null,
          amount: 0,
          clientSecret: null,
          url: `${shop.url}/info/about`,
          order: crypto.randomUUID(),
          returnUrl: shop.url,
        },
      }),
    )
    await page.evaluate(() =>
      new MutationObserver(() => {
        if (/Go to checkout/.test(document.querySelector('form button[type=submit]')?.textContent ?? ''))
          sessionStorage.setItem('said', 'Go to checkout')
      }).observe(document.body, { subtree: true, childList: true, characterData: true }),
    )
    await page.getByRole('button', { name: 'Complete free order' }).click()
    await expect(page).toHaveURL(/\/info\/about$/)
    expect(await page.evaluate(() => sessionStorage.getItem('said'))).toBe('Go to checkout')
    await page.unroute('**/checkout')
  })

  await page.goto('/payment')
  await openTill(page)
  await expect(number).toBeVisible()
  await enter(page, 'BOOKGIFT')
  await expect(number).toBeHidden()
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Complete free order' }).click()
  await expect(page).toHaveURL(/\/payment-successful$/)
  await expect(h1(page, /Thank you/)).toBeVisible()
  expect(await ordersOf(page)).toMatchObject([{ amount: 0, status: 'paid' }])
  expect((await shelfOf(page)).sort()).toEqual(['audiobooks/the-quiet-ferry', 'ebooks/nine-winters'])
})
