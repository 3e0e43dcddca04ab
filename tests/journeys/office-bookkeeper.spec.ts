// Covers: office, sales, outlets
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-55 OFFICE-56 OFFICE-57: a bookkeeper’s month: the figures of a quarter, the VAT of each country, a statement as PDF, and the One Stop Shop sheet', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'ines@books.example', 'bookkeeper'), 'Ines Tarn')
  const saved = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    return (await download).suggestedFilename()
  }

  await test.step('a quarter by day, with the same figures as a table', async () => {
    await page.getByRole('link', { name: 'Sales and VAT' }).click()
    await expect(page.getByRole('img', { name: /Money taken on each day/ })).toBeVisible()
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Quarter')
    await expect(page).toHaveURL(/period=\d{4}-Q\d/)
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await expect(page.getByRole('columnheader', { name: 'Day' })).toBeVisible()
  })

  await test.step('by publisher, and the VAT beside it', async () => {
    await page.getByRole('navigation', { name: 'Sales by' }).getByRole('link', { name: 'Publisher' }).click()
    await expect(page.getByRole('heading', { name: 'By publisher' })).toBeVisible()
    await expect(page.getByRole('cell', { name: 'memberships', exact: true })).toBeVisible()
    await expect(page.getByRole('row', { name: /United Kingdom 20%/ })).toBeVisible()
    await expectAccessible(page)
    expect(await saved(() => page.getByRole('button', { name: /One Stop Shop sheet/ }).click())).toMatch(
      /^one-stop-shop-\d{4}-Q\d\.csv$/,
    )
  })

  await test.step('a statement for each rights holder', async () => {
    await page.getByRole('link', { name: 'Rights holders', exact: true }).first().click()
    const pdf = page.getByRole('button', { name: /^Statement of .* as PDF$/ }).first()
    await expect(pdf).toBeVisible()
    await page.getByRole('rowheader').first().getByRole('button').click()
    await expectAccessible(page)
    expect(await saved(() => pdf.click())).toMatch(/ \d{4}-Q\d\.pdf$/)
  })

  await test.step('what isn’t theirs is not there, and a phone shows the figures', async () => {
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
    for (const theirs of ['/people', '/titles', '/codes', '/activity']) {
      await page.goto(officeUrl(shop, theirs))
      await expect(page.getByRole('heading', { name: 'This isn’t for your role.' })).toBeVisible()
    }
    await page.goto(officeUrl(shop, '/orders'))
    await page.getByRole('link', { name: /^M-/ }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: /^M-/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Refund' })).toHaveCount(0)
    const refund = page.url().replace('/office/', '/api/office/')
    const body = { places: [1], keeps: false, shownMinor: 100, because: 'A bookkeeper' }
    const headers = { origin: new URL(page.url()).origin }
    const refused = await page.request.post(`${refund}/refund`, { data: body, headers })
    expect(await refused.json()).toMatchObject({ 'hydra:description': 'Your role can’t do this.' })
    await page.setViewportSize(PHONE)
    await page.goto(officeUrl(shop, '/sales'))
    await expect(page.getByRole('heading', { level: 1, name: 'Sales and VAT' })).toBeVisible()
  })
})
