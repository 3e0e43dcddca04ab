// Covers: search, catalogue, bag, checkout, payments, orders, products, library
import type { Locator, Page } from '@playwright/test'
import { takenOver } from '#tests/support/page-errors.ts'
import { expect, test } from '#tests/support/journey.ts'
import { CARD, h1, main, shelfOf, thanked } from '#tests/support/checkout-page.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

const isFocused = (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement && document.hasFocus())

/** Presses Tab until the target has the focus; never backwards, and never past the end of the page. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let press = 0; press < 60; press++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${target.toString()}`)
}
const toContent = async (page: Page) => {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}

test('NAV-22 NAV-23 trap 35: a book is found, bought and paid for by keyboard alone, and each step is announced', async ({
  page,
}) => {
  await page.goto('/audiobooks/the-quiet-ferry')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Murmur', exact: true })).toBeVisible()
  await takenOver(page)
  await toContent(page)
  await tabTo(page, main(page).getByRole('button', { name: 'Add to bag' }))
  await page.keyboard.press('Enter')
  // The focus stays on the button while its label changes, and the change is announced.
  await expect(main(page).getByRole('button', { name: 'ADDED TO BAG!' })).toBeFocused()
  await expect(page.getByText('The Quiet Ferry is in your bag.')).toBeAttached()
  await expect(main(page).getByRole('button', { name: 'IN BAG' })).toBeFocused()
  await tabTo(page, main(page).getByRole('link', { name: 'See your bag' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/shopping-bag$/)
  await expect(page).toHaveTitle('Shopping bag | Murmur')
  await expect(h1(page, 'Shopping bag')).toBeVisible()
  await expect(main(page)).toMatchAriaSnapshot(`
    - heading "Shopping bag" [level=1]
    - status: Your bag has 1 item totalling £11.00
    - list:
      - listitem:
        - heading "The Quiet Ferry" [level=2]
        - paragraph: Audiobook, Lorna Quist
        - paragraph: £11.00
        - checkbox "Send as a gift, The Quiet Ferry"
        - button "Remove The Quiet Ferry"
    - region "Order summary":
      - heading "Order summary" [level=2]
      - button "Pay now"
  `)
  await tabTo(page, main(page).getByRole('button', { name: 'Pay now' }))
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(/\/payment$/)
  await expect(page).toHaveTitle('Checkout | Murmur')
  await expect(h1(page, 'Checkout')).toBeVisible()
  const frame = (title: string) => page.frameLocator(`iframe[title="${title}"]`).getByRole('textbox')
  await expect(frame('Secure CVC input frame')).toBeVisible()
  for (const [label, text] of [
    ['Email', aNewAddress('keys')],
    ['First name', 'Una'],
    ['Last name', 'Reed'],
    ['Password', 'murmur-demo'],
    ['Country', 'United K'],
    ['Name on card', 'Una Reed'],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await expect(page.getByLabel('Country')).toHaveValue('GB')
  for (const [title, text] of [
    ['Secure card number input frame', CARD.good.replaceAll(' ', '')],
    ['Secure expiration date input frame', `12${new Date().getFullYear() - 1997}`],
    ['Secure CVC input frame', '123'],
  ] as const) {
    await tabTo(page, frame(title))
    await page.keyboard.type(text)
  }
  await tabTo(page, page.getByRole('checkbox', { name: /I want my books now/ }))
  await page.keyboard.press('Space')
  const pay = page.getByRole('button', { name: 'Pay now' })
  await expect(pay).toBeEnabled()
  await tabTo(page, pay)
  await page.keyboard.press('Enter')
  await thanked(page)
  expect(await shelfOf(page)).toEqual(['audiobooks/the-quiet-ferry'])
  await tabTo(page, main(page).getByRole('link', { name: 'Go to your library' }))
  await page.keyboard.press('Enter')
  await expect(main(page).getByRole('heading', { name: 'The Quiet Ferry' })).toBeVisible()
})
