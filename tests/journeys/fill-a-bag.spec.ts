import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { holdCode } from '#tests/support/late-code.ts'
import { h1, line, main, putIntoBag } from '#tests/support/at-the-till.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 120_000 })

const header = (page: Page) => page.getByRole('banner')
const cartId = (page: Page) => page.evaluate(() => localStorage.getItem('cartId'))

/** Calls of this address wait until they are let go. */
async function hold(page: Page, path: string): Promise<() => void> {
  let letGo: () => void = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(path, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

test('BAG-10 BAG-22 BAG-23 SESS-02 ROLE-03: a book’s button goes over dots to IN BAG, and the device keeps the visitor’s bag', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/audiobooks/the-quiet-ferry')
  expect(await cartId(page)).toBeNull()
  const button = main(page).getByRole('button', { name: 'Add to bag' })
  const inBag = main(page).getByRole('button', { name: 'IN BAG' })

  await test.step('where nobody answers the button stays as it was, and says so', async () => {
    await page.route('**/api/cart_items', (route) => route.abort())
    await button.click()
    await expect(main(page).getByRole('alert')).toContainText('didn’t go into your bag')
    await expect(button).toBeEnabled()
    await expectAccessibleInBoth(page)
    await page.unroute('**/api/cart_items')
  })
  const answer = await hold(page, '**/api/cart_items')
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(main(page).getByRole('button', { name: 'ADDED TO BAG!' })).toBeVisible()
  await page.clock.fastForward(3_000)
  await expect(inBag).toBeDisabled()
  const id = await cartId(page)
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  await page.reload()
  await expect(inBag).toBeDisabled()
  await expect(header(page).getByRole('button', { name: 'Shopping bag, 1 item' })).toBeVisible()
  expect(await cartId(page)).toBe(id)

  await test.step('another book has a button of its own, and so has each format of it', async () => {
    await putIntoBag(page, '/audiobooks/nine-winters')
    expect(await cartId(page)).toBe(id)
    await page.clock.fastForward(3_000)
    await expect(inBag).toBeVisible()
    await main(page)
      .getByRole('link', { name: /£8\.49/ })
      .click()
    await expect(page).toHaveURL(/\/ebooks\/nine-winters/)
    await expect(button).toBeEnabled()
    await expect(main(page).getByText('The audiobook is already in your bag.')).toBeVisible()
  })
})

test('BAG-01 BAG-03 BAG-04 HDR-09 NAV-22: the bag says what it holds and leads to the till; the header counts; emptied, it leads home', async ({
  page,
}) => {
  const nothing = main(page).getByText('Your bag is empty. The shelves aren’t.')
  await page.goto('/shopping-bag')
  await expect(nothing).toBeVisible()
  await expectAccessibleEverywhere(page)
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await putIntoBag(page, '/ebooks/nine-winters')
  await header(page).getByRole('button', { name: 'Shopping bag, 2 items' }).click()
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
  await expect(h1(page, 'Checkout')).toBeVisible()

  await test.step('removing shows that it is under way, and the item is gone from bag, badge and total', async () => {
    await page.goto('/shopping-bag')
    const answer = await hold(page, '**/api/cart_items/*')
    const remove = line(page, 'Nine Winters').getByRole('button', { name: 'Remove Nine Winters' })
    await remove.click()
    await expect(remove).toHaveAttribute('aria-busy', 'true')
    answer()
    await expect(line(page, 'Nine Winters')).toHaveCount(0)
    await expect(header(page).getByRole('button', { name: 'Shopping bag, 1 item' })).toBeVisible()
    await expect(main(page).getByText('Your bag has 1 item totalling £11.00')).toBeVisible()
  })
  await main(page).getByRole('button', { name: 'Remove The Quiet Ferry' }).click()
  await expect(nothing).toBeVisible()
  await expect(page).toHaveURL(/\/shopping-bag$/)
  await main(page).getByRole('link', { name: 'Back to the shop' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
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

test('BAG-12 BAG-09 BAG-11 ROLE-08: a free book goes straight to the library, which is said for five seconds', async ({
  shop,
  device,
}) => {
  const context = await device({ of: await aNewcomer(shop.url) })
  await test.step('who takes one before the page knows them is not asked who they are', async () => {
    const early = await context.newPage()
    const arrive = await holdCode(early)
    await early.goto('/audiobooks/a-field-guide-to-small-hours', { waitUntil: 'commit' })
    await main(early).getByRole('button', { name: 'ADD TO LIBRARY' }).click()
    arrive()
    await expect(main(early).getByRole('button', { name: /^(ADDED TO|ALREADY IN) LIBRARY/ })).toBeVisible()
    await expect(early.getByRole('dialog')).toBeHidden()
    await early.close()
  })

  const page = await context.newPage()
  await page.clock.install()
  await page.goto('/ebooks/harbour-lights-annual')
  const take = main(page).getByRole('button', { name: 'ADD TO LIBRARY' })
  await test.step('one that cannot be taken says nothing, and the button can be pressed again', async () => {
    await page.route('**/add-to-library/*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await take.click()
    await expect(take).not.toHaveAttribute('aria-busy', 'true')
    await expect(take).toBeEnabled()
    await expect(main(page).getByRole('alert')).toHaveCount(0)
    await page.unroute('**/add-to-library/*')
  })
  await page.clock.pauseAt(Date.now() + 60_000)
  await take.click()
  const said = main(page).getByRole('button', { name: 'ADDED TO LIBRARY!' })
  await expect(said).toBeVisible()
  await page.clock.runFor(4_900)
  await expect(said).toBeVisible()
  await page.clock.runFor(200)
  await expect(main(page).getByRole('button', { name: 'ALREADY IN LIBRARY' })).toBeDisabled()
  await expect(header(page).getByRole('button', { name: 'Shopping bag', exact: true })).toBeVisible()
  // React lets what comes soon after a placeholder wait by a timer, which a clock that stands never rings.
  await page.clock.resume()
  await page.goto('/library')
  await expect(main(page).getByRole('heading', { name: 'Harbour Lights Annual' })).toBeVisible()
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

test('BAG-07 BAG-19 BAG-20: what is not sold in the buyer’s country can only be removed, and goes first at Pay now', async ({
  device,
}) => {
  const page = await (await device({ of: 'abroad@murmur.example' })).newPage()
  await page.goto('/shopping-bag')
  const blocked = line(page, 'The Customs House')
  const payNow = main(page).getByRole('button', { name: 'Pay now' })
  await expect(blocked.getByText('Not available in your region')).toBeVisible()
  await expect(blocked.getByRole('checkbox')).toHaveCount(0)
  await expect(blocked.getByRole('button')).toHaveCount(1)
  await expect(blocked.getByRole('button', { name: 'Remove The Customs House' })).toBeVisible()
  await expectAccessibleEverywhere(page)

  await test.step('where that removal fails the bag is read again, and nothing is lost of it', async () => {
    await page.route('**/availability', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    )
    const count = await main(page).getByRole('heading', { level: 2 }).count()
    const again = page.waitForRequest((request) => request.url().endsWith('/api/carts/own'))
    await payNow.click()
    await again
    await expect(blocked).toBeVisible()
    await expect(main(page).getByRole('heading', { level: 2 })).toHaveCount(count)
    await expect(page).toHaveURL(/\/shopping-bag$/)
    await page.unroute('**/availability')
  })

  await payNow.click()
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

test('ANLT-04 ANLT-05 ANLT-06: adding, the bag and a removal are told once each, after the server agreed', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('analytics', 'on'))
  await page.goto('/audiobooks/the-quiet-ferry')
  await page.route('**/api/cart_items', (route) => route.abort())
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect(main(page).getByRole('alert')).toBeVisible()
  expect(await told(page, 'add_to_cart')).toEqual([])
  await page.unroute('**/api/cart_items')
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect.poll(async () => (await told(page, 'add_to_cart')).length).toBe(1)
  const [event] = await told(page, 'add_to_cart')
  expect(event!.ecommerce).toMatchObject({
    value: 11,
    tax: 2.2,
    items: [{ item_id: 'audio_books/the-quiet-ferry' }],
  })

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
  const removed = async () =>
    (await told(page, 'remove_from_cart')).map(({ ecommerce }) =>
      ecommerce.items.map(({ item_id }) => item_id),
    )
  // What tells is loaded when it is needed: it may follow the line that goes.
  await expect.poll(removed).toEqual([['audio_books/the-quiet-ferry']])
  expect(await told(page, 'view_cart')).toHaveLength(1)
  await main(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(main(page).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})
