// Covers: storage, sync, bag, session
import { expectCheckout, h1, line, main } from '#tests/support/checkout-page.ts'
import { expect, test } from '#tests/support/journey.ts'

test('with blocked storage, the shop opens, shows a book, has a bag until the checkout, and explains once what it can’t store', async ({
  device,
}) => {
  const context = await device()
  // As in a browser whose user has blocked all site data.
  await context.addInitScript(() => {
    const denied = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: denied })
    navigator.locks.request = async () => denied()
  })
  const page = await context.newPage()
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  const notice = page.getByText('Your browser blocks storage')

  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Audiobooks', exact: true }).click()
  await page.goto('/audiobooks/the-quiet-ferry')
  await main(page).getByRole('button', { name: 'Add to bag' }).click()
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeVisible()
  await expect(notice).toBeVisible()
  await notice.hover()
  await page.mouse.move(0, 0)

  await page.getByRole('banner').getByRole('button', { name: 'Shopping bag, 1 item' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Checkout' }).click()
  await expect(h1(page, 'Shopping bag')).toBeVisible()
  await expect(line(page, 'The Quiet Ferry')).toBeVisible()
  await main(page).getByRole('button', { name: 'Pay now' }).click()
  // The checkout is a new document; the bag, which only existed in the page, has been transferred.
  await expectCheckout(page)
  await expect(main(page).getByText('The Quiet Ferry').first()).toBeVisible()
  await expect(
    page.frameLocator('iframe[title="Secure card number input frame"]').getByRole('textbox'),
  ).toBeVisible()
  await expect(notice).toBeHidden()
  expect(broken).toEqual([])
})
