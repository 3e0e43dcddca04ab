// Covers: office, cards, outlets, search
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { invited, joinOffice, withFingerprint } from '#tests/support/office.ts'

const SOLD = 'REDEEM-2345-0020'

test('OFFICE-64 OFFICE-65 OFFICE-17: an owner prints cards, makes them void, replaces one that a reader can’t use, and runs a bookshop', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'hana@cards.example', 'owner'), 'Hana Brodie')
  const drawer = page.getByRole('dialog')
  const saved = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    return (await download).suggestedFilename()
  }

  await test.step('cards are made into one file', async () => {
    await page.getByRole('link', { name: 'Cards and bookshops' }).click()
    await expect(page.getByRole('heading', { name: 'Batches' })).toBeVisible()
    await page.getByRole('link', { name: 'Make cards' }).click()
    await drawer.getByLabel('Audiobook').selectOption({ label: 'Second Card for Tin Whistle, £10.00' })
    await drawer.getByLabel('How many').fill('0')
    await drawer.getByRole('button', { name: 'Make them, and download' }).click()
    await expect(drawer.getByLabel('How many')).toHaveAccessibleDescription(/from 1 to 1000/)
    await drawer.getByLabel('How many').fill('3')
    await expectAccessible(page)
    const name = await saved(() => drawer.getByRole('button', { name: 'Make them, and download' }).click())
    expect(name).toBe('cards-second-card-for-tin-whistle.zip')
  })

  await test.step('the rest of a batch is made void, with a reason', async () => {
    await page.getByRole('table').first().getByRole('link').first().click()
    await drawer.getByRole('button', { name: 'Make the 3 unsold cards void' }).click()
    await expect(drawer.getByLabel('Why')).toHaveAccessibleDescription(/Say why/)
    await drawer.getByLabel('Why').fill('Printed in the wrong colour')
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Make the 3 unsold cards void' }).click()
    await expect(page.getByText(/^3 cards of batch \d+ void\.$/).first()).toBeVisible()
    await expect(drawer.getByText('Not sold yet').locator('xpath=following-sibling::dd')).toHaveText('0')
    await page.keyboard.press('Escape')
  })

  await test.step('a sold card that can’t be read is replaced', async () => {
    await page.getByRole('searchbox', { name: /Look up a card/ }).fill(SOLD.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Sold, not opened')).toBeVisible()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await page.getByLabel('Why is it replaced?').fill('The code is scratched')
    await expectAccessible(page)
    const name = await saved(() => page.getByRole('button', { name: 'Replace it, and download' }).click())
    expect(name).toMatch(/^card-for-.*\.zip$/)
    await expect(page.getByText(/replaced by another/)).toBeVisible()
  })

  await test.step('a bookshop is added, gets other terms and its old ones again, and is closed', async () => {
    await page.getByRole('link', { name: 'Add a bookshop' }).click()
    await drawer.getByLabel('Name').fill('The Rope Loft')
    await drawer.getByLabel('Email address').fill('colm@rope-loft.example')
    await drawer.getByRole('button', { name: 'Add the bookshop' }).click()
    await page.getByRole('link', { name: 'The Rope Loft' }).click()
    await drawer.getByLabel('Discount %').fill('50')
    await drawer.getByRole('button', { name: 'Change the terms' }).click()
    await expect(drawer.getByText('50% off cards')).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(drawer.getByText('60% off cards')).toBeVisible()
    await drawer.getByLabel('Why', { exact: true }).fill('They retire')
    await drawer.getByRole('button', { name: 'Close The Rope Loft' }).click()
    await expect(drawer.getByText('Closed', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('Ctrl K goes to a title by its name', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search the office' }).fill('tin whistle winter')
    await expect(page.getByRole('group', { name: 'Exactly this' }).getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/office\/titles\/tin-whistle-winter/)
  })
})
