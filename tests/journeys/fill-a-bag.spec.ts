import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { holdCode } from '#tests/support/late-code.ts'
import { h1, line, main, putIntoBag } from '#tests/support/at-the-till.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 120_000 })

const header = (page: Page) => page.getByRole('banner')
const cartId = (page: Page) => page.evaluate(() => localStorage.getItem('cartId'))
const MEMBERS = { of: 'supporter@murmur.example' }

test('BAG-10 BAG-22 BOOK-09: on a book’s page the button goes from its words over dots to ADDED TO BAG!, then IN BAG, also after a reload', async ({
  page,
}) => {
  await page.goto('/audiobooks/the-quiet-ferry')
  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/cart_items', async (route) => {
    await held
    await route.continue()
  })
  const button = main(page).getByRole('button', { name: 'Add to bag' })
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(main(page).getByRole('button', { name: 'ADDED TO BAG!' })).toBeVisible()
  const inBag = main(page).getByRole('button', { name: 'IN BAG' })
  await expect(inBag).toBeDisabled()
  await page.reload()
  await expect(inBag).toBeDisabled()
})

test('SESS-02 ROLE-03: a visitor’s bag is known by a cart id on the device, and survives a reload', async ({
  page,
}) => {
  await page.goto('/')
  expect(await cartId(page)).toBeNull()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  const id = await cartId(page)
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  await page.reload()
  await expect(header(page).getByRole('button', { name: 'Shopping bag, 1 item' })).toBeVisible()
  expect(await cartId(page)).toBe(id)
  await putIntoBag(page, '/audiobooks/nine-winters')
  expect(await cartId(page)).toBe(id)
})

test('BAG-01 BAG-03 BAG-04 HDR-09 NAV-22: the bag says what it holds and leads to the till; the header counts', async ({
  page,
}) => {
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await putIntoBag(page, '/ebooks/nine-winters')
  const icon = header(page).getByRole('button', { name: 'Shopping bag, 2 items' })
  await icon.click()
  await expect(header(page).getByRole('link', { name: 'Checkout' })).toBeVisible()
  await expectAccessibleEverywhere(page)
  await header(page).getByRole('link', { name: 'Checkout' }).click()
  await expect(page).toHaveURL(/\/shopping-bag$/)
  await expect(h1(page, 'Shopping bag')).toBeVisible()
  await expect(page).toHaveTitle('Shopping bag | Murmur')
  await expect(main(page).getByText('Your bag has 2 items totalling £19.49')).toBeVisible()
  await expect(main(page).getByText(/powered by Stripe/)).toBeVisible()
  const summary = main(page).getByRole('region', { name: 'Order summary' })
  // £11.00 with VAT in it, £8.49 without any.
  await expect(summary).toContainText('Sub total£17.66')
  await expect(summary).toContainText('VAT 20%, audiobooks£1.83')
  await expect(summary).toContainText('VAT 0%, e-books£0.00')
  await expect(summary).toContainText('Total to pay£19.49')
  await expectAccessibleEverywhere(page)
  await summary.getByRole('button', { name: 'Pay now' }).click()
  await expect(page).toHaveURL(/\/payment$/)
})

test('BAG-17: removing shows that it is under way, and the item is gone from bag, badge and total', async ({
  page,
}) => {
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await putIntoBag(page, '/audiobooks/nine-winters')
  await page.goto('/shopping-bag')
  let answer: () => void = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/cart_items/*', async (route) => {
    await held
    await route.continue()
  })
  const remove = line(page, 'Nine Winters').getByRole('button', { name: 'Remove Nine Winters' })
  await remove.click()
  await expect(remove).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(line(page, 'Nine Winters')).toHaveCount(0)
  await expect(header(page).getByRole('button', { name: 'Shopping bag, 1 item' })).toBeVisible()
  await expect(main(page).getByText('Your bag has 1 item totalling £11.00')).toBeVisible()
})

test('BAG-05: an empty bag says so, on arrival and after the last removal, and its way out leads home', async ({
  page,
}) => {
  await page.goto('/shopping-bag')
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/shopping-bag')
  await main(page).getByRole('button', { name: 'Remove The Quiet Ferry' }).click()
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
  await expect(page).toHaveURL(/\/shopping-bag$/)
  await main(page).getByRole('link', { name: 'Back to the shop' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('BAG-23: audiobook and e-book of a title have a button each', async ({ page }) => {
  await putIntoBag(page, '/audiobooks/nine-winters')
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeVisible()
  await main(page)
    .getByRole('link', { name: /£8\.49/ })
    .click()
  await expect(page).toHaveURL(/\/ebooks\/nine-winters/)
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toBeEnabled()
  await expect(main(page).getByText('The audiobook of it is in your bag.')).toBeVisible()
})

test('BOOK-20: on the page of another book the button begins anew, and a page that is left takes its book with it', async ({
  page,
}) => {
  await page.goto('/audiobooks/nine-winters')
  const added = Promise.withResolvers<void>()
  await page.route('**/api/cart_items', async (route) => {
    await added.promise
    await route.continue()
  })
  const button = main(page).getByRole('button', { name: 'Add to bag' })
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')

  const nearby = main(page).getByRole('region', { name: 'Shelved nearby' }).getByRole('listitem').first()
  const another = await nearby.getByRole('heading').innerText()
  await nearby.getByRole('link').click()
  await expect(h1(page, another)).toBeVisible()
  await expect(h1(page, 'Nine Winters')).toHaveCount(0)
  await expect(button).toBeEnabled()
  added.resolve()
  await expect(header(page).getByRole('button', { name: 'Shopping bag, 1 item' })).toBeVisible()
  await expect(button).toBeEnabled()

  await header(page).getByRole('link', { name: 'Murmur', exact: true }).click()
  await expect(page).toHaveTitle('Good books, said softly | Murmur')
  await expect(h1(page, another)).toHaveCount(0)
  await page.goBack()
  await page.goBack()
  await expect(h1(page, 'Nine Winters')).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeVisible()
})

test('ERR-23: a title that does not go into the bag leaves the button as it was, and says so', async ({
  page,
}) => {
  await page.goto('/audiobooks/the-quiet-ferry')
  await page.route('**/api/cart_items', (route) => route.abort())
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect(main(page).getByRole('alert')).toContainText('didn’t go into your bag')
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toBeEnabled()
  await expectAccessibleEverywhere(page)
})

test('BAG-12 BAG-09 BAG-11 ROLE-08: a free book goes straight to the library, which is said for five seconds', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.clock.install()
  await page.goto('/ebooks/harbour-lights-annual')
  await page.clock.pauseAt(Date.now() + 60_000)
  await main(page).getByRole('button', { name: 'ADD TO LIBRARY' }).click()
  const said = main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })
  await expect(said).toBeVisible()
  await page.clock.runFor(4_900)
  await expect(said).toBeVisible()
  await page.clock.runFor(200)
  await expect(main(page).getByRole('button', { name: 'ALREADY IN LIBRARY' })).toBeDisabled()
  await expect(header(page).getByRole('button', { name: 'Shopping bag', exact: true })).toBeVisible()
  await page.goto('/library')
  await expect(main(page).getByRole('heading', { name: 'Harbour Lights Annual' })).toBeVisible()
})

test('BAG-12: who takes a free book before the page knows them is not asked who they are', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  const arrive = await holdCode(page)
  await page.goto('/ebooks/harbour-lights-annual', { waitUntil: 'commit' })
  await main(page).getByRole('button', { name: 'ADD TO LIBRARY' }).click()
  arrive()
  await expect(main(page).getByRole('button', { name: /^(ADDED TO|ALREADY IN) LIBRARY/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('ROLE-05: a visitor who takes a free book is asked to log in first', async ({ page }) => {
  await page.goto('/ebooks/harbour-lights-annual')
  await main(page).getByRole('button', { name: 'ADD TO LIBRARY' }).click()
  await expect(page.getByRole('dialog', { name: 'Log in' })).toBeVisible()
  await expect(page).toHaveURL(/harbour-lights-annual/)
})

test('ERR-32: a free book that cannot be taken says nothing, and the button can be pressed again', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.goto('/ebooks/harbour-lights-annual')
  await page.route('**/add-to-library/*', (route) => route.fulfill({ status: 500, body: '{}' }))
  const button = main(page).getByRole('button', { name: 'ADD TO LIBRARY' })
  await button.click()
  await expect(button).not.toHaveAttribute('aria-busy', 'true')
  await expect(button).toBeEnabled()
  await expect(main(page).getByRole('alert')).toHaveCount(0)
  await page.unroute('**/add-to-library/*')
  await button.click()
  await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
})

test('BAG-13 BAG-14: what is unpublished or not sold here says so in place of the button', async ({
  page,
  device,
}) => {
  await page.goto('/audiobooks/not-yet-bells')
  await expect(main(page).getByText('Not available', { exact: true }).first()).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toHaveCount(0)
  const abroad = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await abroad.goto('/audiobooks/the-customs-house')
  await expect(main(abroad).getByText('Not available in your region', { exact: true }).first()).toBeVisible()
  await expect(main(abroad).getByRole('button', { name: 'Add to bag' })).toHaveCount(0)
})

test('BAG-15: an owned paid audiobook can be given, at its price', async ({ shop, device }) => {
  const page = await (await device({ of: shop.someone('nell') })).newPage()
  await page.goto('/audiobooks/the-lamplighters-ledger')
  await main(page).getByRole('button', { name: 'Gift, £14.99' }).click()
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeVisible()
})

test('BAG-25 ROLE-29: a credit claims an edition straight into the library, and is spent', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: shop.someone('reader') })).newPage()
  await page.goto('/audiobooks/salt-road-letters')
  await main(page).getByRole('button', { name: 'Claim with 1 credit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use 1 credit' }).click()
  await expect(main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.goto('/audiobooks/the-orchard-at-low-tide')
  await expect(main(page).getByRole('button', { name: 'Add to bag' })).toBeVisible()
})

test('BAG-07: what is not sold in the buyer’s country can only be removed', async ({ device }) => {
  const page = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await page.goto('/shopping-bag')
  const blocked = line(page, 'The Customs House')
  await expect(blocked.getByText('Not available in your region')).toBeVisible()
  await expect(blocked.getByRole('checkbox')).toHaveCount(0)
  await expect(blocked.getByRole('button')).toHaveCount(1)
  await expect(blocked.getByRole('button', { name: 'Remove The Customs House' })).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('BAG-20: where that removal fails the bag is read again, and nothing is lost of it', async ({
  device,
}) => {
  const page = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await page.goto('/shopping-bag')
  await page.route('**/availability', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  )
  await expect(line(page, 'The Customs House')).toBeVisible()
  const count = await main(page).getByRole('heading', { level: 2 }).count()
  const again = page.waitForRequest((request) => request.url().endsWith('/api/carts/own'))
  await main(page).getByRole('button', { name: 'Pay now' }).click()
  await again
  await expect(line(page, 'The Customs House')).toBeVisible()
  await expect(main(page).getByRole('heading', { level: 2 })).toHaveCount(count)
  await expect(page).toHaveURL(/\/shopping-bag$/)
})

test('BAG-19: at Pay now what cannot be bought goes first, and the rest is paid', async ({ device }) => {
  const page = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await page.goto('/shopping-bag')
  await expect(line(page, 'The Customs House')).toBeVisible()
  await main(page).getByRole('button', { name: 'Pay now' }).click()
  await expect(page).toHaveURL(/\/payment$/)
  await expect(h1(page, 'Checkout')).toBeVisible()
  await expect(main(page).getByText('The Customs House')).toHaveCount(0)
  await page.goto('/shopping-bag')
  await expect(main(page).getByText(/Your bag has 1 item/)).toBeVisible()
})

test('two tabs show one bag', async ({ device }) => {
  const context = await device()
  const [one, other] = [await context.newPage(), await context.newPage()]
  await other.goto('/shopping-bag')
  await putIntoBag(one, '/audiobooks/the-quiet-ferry')
  await other.bringToFront()
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(line(other, 'The Quiet Ferry')).toBeVisible()
})

interface Told {
  event: string
  ecommerce: { value: number; tax: number; items: { item_id: string }[] }
}
const told = async (page: Page, event: string) =>
  ((await page.evaluate(() => (window as { dataLayer?: unknown[] }).dataLayer ?? [])) as Told[]).filter(
    (each) => each.event === event,
  )

test('ANLT-05: a title that went into the bag is told once, one that did not is not', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('analytics', 'on'))
  await page.goto('/audiobooks/the-quiet-ferry')
  await page.route('**/api/cart_items', (route) => route.abort())
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect(main(page).getByRole('alert')).toBeVisible()
  expect(await told(page, 'add_to_cart')).toEqual([])
  await page.unroute('**/api/cart_items')
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeVisible()
  const [event, ...more] = await told(page, 'add_to_cart')
  expect(more).toEqual([])
  expect(event!.ecommerce).toMatchObject({
    value: 11,
    tax: 2.2,
    items: [{ item_id: 'audio_books/the-quiet-ferry' }],
  })
})

test('ANLT-04 ANLT-06: the bag is told once with all of it, a removal once the server agreed', async ({
  device,
}) => {
  const page = await (await device(MEMBERS)).newPage()
  await page.addInitScript(() => localStorage.setItem('analytics', 'on'))
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await putIntoBag(page, '/ebooks/nine-winters')
  await page.goto('/shopping-bag')
  await expect.poll(async () => (await told(page, 'view_cart')).length).toBe(1)
  const [view] = await told(page, 'view_cart')
  expect(view!.ecommerce.items).toHaveLength(2)
  expect(view!.ecommerce.tax).toBeCloseTo(view!.ecommerce.value * 0.2, 2)

  await page.route('**/api/cart_items/*', (route) => route.abort())
  await main(page).getByRole('button', { name: 'Remove The Quiet Ferry' }).click()
  await expect(main(page).getByRole('alert')).toContainText('still in your bag')
  expect(await told(page, 'remove_from_cart')).toEqual([])
  await page.unroute('**/api/cart_items/*')
  await main(page).getByRole('button', { name: 'Remove The Quiet Ferry' }).click()
  await expect(line(page, 'The Quiet Ferry')).toHaveCount(0)
  const removed = await told(page, 'remove_from_cart')
  expect(removed.map(({ ecommerce }) => ecommerce.items.map(({ item_id }) => item_id))).toEqual([
    ['audio_books/the-quiet-ferry'],
  ])
  expect(await told(page, 'view_cart')).toHaveLength(1)
  await main(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})
