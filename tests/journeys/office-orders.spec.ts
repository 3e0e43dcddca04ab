// Covers: office, orders, refunds
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-07 OFFICE-08 OFFICE-09: support looks at the day, finds an order by its buyer, refunds it with a reason, and saves a view of the refunded orders', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'wilf@orders.example', 'support'), 'Wilf Garrity')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'Orders' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('searchbox', { name: 'Number, buyer, title or card' })).toBeVisible()
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await expect(rows.first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toHaveCount(0)

  await test.step('typing and filters narrow the list, and are in its address', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('gwen tarn')
    await expect(page).toHaveURL(/words=gwen\+tarn/)
    await expect(page.getByRole('status').filter({ hasText: '5 orders, £284.00' })).toBeVisible()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'State' }).click()
    await page.getByRole('radio', { name: 'refunded', exact: true }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByRole('heading', { name: 'No orders like that.' })).toBeVisible()
    await page.getByRole('button', { name: 'Without the filter State' }).click()
    await expect(rows).toHaveCount(5)
  })

  await test.step('by keyboard: X selects a row, Esc clears, J and K move, Enter opens', async () => {
    await rows.first().getByRole('link').focus()
    await page.keyboard.press('x')
    await expect(page.getByRole('region', { name: 'Selected orders' })).toContainText('1 selected, £120.00')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Selected orders' })).toHaveCount(0)
    await page.keyboard.press('j')
    await expect(rows.nth(1).getByRole('link')).toBeFocused()
    await page.keyboard.press('k')
    await expect(rows.first().getByRole('link')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^M-/ })).toBeVisible()
  })

  await test.step('above £50 support can’t refund the whole, but a part, and reads what the buyer will', async () => {
    await page.getByRole('link', { name: 'Refund' }).click()
    const drawer = page.getByRole('dialog', { name: 'Refund' })
    await expect(drawer.getByText('Your role refunds up to £50.00 at once. Ask an owner.')).toBeVisible()
    await drawer.getByRole('button', { name: 'A different amount' }).click()
    await drawer.getByLabel('Amount').fill('12.50')
    await drawer.getByLabel(/^Why/).fill('Charged too much')
    await page.reload()
    await expect(drawer.getByLabel(/^Why/)).toHaveValue('Charged too much')
    await expect(drawer.getByText('we’ve refunded £12.50')).toBeVisible()
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Refund £12.50' }).click()
    await expect(drawer).toHaveCount(0)
    await expect(page.getByText('“Charged too much”')).toBeVisible()
    await expect(page.getByText(/£12\.50 (went back|is on its way back)/)).toBeVisible()
  })

  await test.step('Ctrl K goes to an order by its number', async () => {
    const number = (await page.getByRole('heading', { level: 1 }).textContent())!
    await page.goto(officeUrl(shop, '/today'))
    await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search the office' }).fill(number.toLowerCase())
    await expect(page.getByRole('option', { name: number })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
  })

  await test.step('a view is saved, and is there on a phone', async () => {
    await page.goto(officeUrl(shop, '/orders?state=part-refunded'))
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name').fill('In part')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const view = page.getByRole('link', { name: 'In part' })
    await expect(view).toHaveAttribute('aria-current', 'page')
    await page.setViewportSize(PHONE)
    await page.goto(officeUrl(shop, '/orders'))
    await view.click()
    await expect(page).toHaveURL(officeUrl(shop, '/orders?state=part-refunded'))
    // The list is dimmed until its rows have come.
    await expect(page.getByRole('status').filter({ hasText: /^\d+ orders?, £/ })).toBeVisible()
  })
})
