// Covers: office, catalogue
import { epub, mp3 } from '#importer/fixtures/owners-folder.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { joinOffice, linkToOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-30 OFFICE-32: on the first day an owner drops three titles, confirms a guess, prices them, and sees them in the shop', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await linkToOffice(shop, 'hana@import.example', 'owner'), 'Hana Brodie')
  await page.goto(officeUrl(shop, '/titles/import'))
  await expect(page.getByRole('heading', { level: 1, name: 'Bring in books' })).toBeVisible()
  await expectAccessible(page)
  const file = (name: string, content: Uint8Array | string, mimeType = 'audio/mpeg') => ({
    name,
    mimeType,
    buffer: Buffer.from(content),
  })
  await page
    .getByLabel('Files', { exact: true })
    .setInputFiles([
      file('Kelp Song.mp3', mp3({ album: 'Kelp Song', artist: 'Ida Frost' })),
      file('Neap.mp3', mp3({})),
      file('Spring Tide.epub', await epub({ title: 'Spring Tide' }), 'application/epub+zip'),
    ])
  await expect(page.getByText('3 of 3 files here')).toBeVisible()
  await expect(page.getByText('3 found, 0 refused')).toBeVisible()
  await expectAccessible(page)
  const guess = page.getByRole('checkbox', { name: /Yes, that’s right: Neap/ })
  await expect(guess).not.toBeChecked()
  await page.reload()
  await expect(page.getByText('3 found, 0 refused')).toBeVisible()
  await guess.check()
  await page.getByRole('button', { name: 'Bring in 3 titles' }).click()
  await expect(page.getByRole('heading', { name: 'Brought in' })).toBeVisible()
  await page.getByRole('link', { name: 'Give prices to those without one' }).click()
  for (const [title, price] of [
    ['Kelp Song', '7.50'],
    ['Neap', '6'],
    ['Spring Tide', '0'],
  ] as const) {
    await page.getByRole('button', { name: `Change the price of ${title}: none` }).click()
    await page.getByRole('textbox', { name: `Price of ${title}` }).fill(price)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: title })).toHaveCount(0)
  }
  await page.goto(`${shop.url}/audiobooks/kelp-song`)
  await expect(page.getByRole('heading', { level: 1, name: 'Kelp Song' })).toBeVisible()
  await expect(page.getByText('£7.50').first()).toBeVisible()
  // Other journeys of this shop count and compare what its lists show.
  await page.goto(officeUrl(shop, '/titles'))
  await expect(page.getByRole('heading', { level: 1, name: 'Titles' })).toBeVisible()
  expect(await page.evaluate(retire, ['Kelp Song', 'Neap', 'Spring Tide'])).toBe(200)
})

/** Runs in a page of the office. Returns the status of the answer. */
async function retire(titles: readonly string[]): Promise<number> {
  const ids: number[] = []
  for (const title of titles) {
    const answer = await fetch(`/api/office/titles?words=${encodeURIComponent(title)}`)
    const { rows } = (await answer.json()) as { rows: { id: number; title: string }[] }
    ids.push(...rows.filter((row) => row.title === title).map(({ id }) => id))
  }
  const answer = await fetch('/api/office/titles/states', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids, state: 'retired' }),
  })
  return answer.status
}
