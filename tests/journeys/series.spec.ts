// Covers: series, people, bag, search
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { h1, line, main } from '#tests/support/checkout-page.ts'

test('listening: a visitor finds the rest of a series in both orders, and adds the missing titles to the bag with one press', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/audiobooks/the-salt-ledger')
  await expect(main(page).getByText('Book 2 of 3 in')).toBeVisible()
  await main(page).getByRole('link', { name: 'The Orrin Quay books' }).click()
  await expect(h1(page, 'The Orrin Quay books')).toBeVisible()

  const rows = main(page).getByRole('region', { name: /order/ }).getByRole('listitem')
  await expect(rows).toContainText(['The Customs House', 'The Salt Ledger', 'What the Sea Owes'])
  await expect(rows.nth(2)).toContainText('Out on 4th March 2027')
  await main(page).getByRole('link', { name: 'By story' }).click()
  await expect(rows).toContainText(['The Salt Ledger', 'The Customs House', 'What the Sea Owes'])
  await expect(page).toHaveURL(/\?order=story$/)

  await main(page).getByRole('button', { name: 'Add both to bag' }).click()
  await main(page).getByRole('link', { name: 'See your bag' }).click()
  await expect(line(page, 'The Customs House')).toBeVisible()
  await expect(line(page, 'The Salt Ledger')).toBeVisible()
})

test('listening: search finds a series by its name, and an author’s name leads to all their series', async ({
  page,
}) => {
  await page.goto('/search-books?keyword=orrin quay')
  await main(page).getByRole('link', { name: 'The Orrin Quay books' }).click()
  await expect(h1(page, 'The Orrin Quay books')).toBeVisible()
  await main(page).getByRole('link', { name: 'The Salt Ledger' }).click()
  await expect(h1(page, 'The Salt Ledger')).toBeVisible()
  await main(page).getByRole('link', { name: 'Imogen Tarrant', exact: true }).click()
  await expect(h1(page, 'Imogen Tarrant')).toBeVisible()
  const audiobooks = main(page).getByRole('region', { name: 'Audiobooks' })
  await expect(audiobooks.getByRole('heading', { level: 3 })).toHaveText([
    'The Salt Ledger',
    'The Customs House',
  ])
  await audiobooks.getByRole('link', { name: 'also an e-book' }).click()
  await expect(h1(page, 'The Salt Ledger')).toBeVisible()
  await expect(page).toHaveURL(/\/ebooks\/the-salt-ledger$/)
})
