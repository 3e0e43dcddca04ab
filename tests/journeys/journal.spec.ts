// Covers: editorial
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'

interface Items {
  'hydra:totalItems': number
  'hydra:member': { slug: string; title: string }[]
}

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const titles = (page: Page) => main(page).getByRole('listitem').getByRole('heading', { level: 2 })
const more = (page: Page) => main(page).getByRole('button', { name: 'Load more' })
const membersBlock = (page: Page, what: string) =>
  main(page).getByRole('region', { name: `The ${what} is for members` })

test('EDIT-01 EDIT-02: a visitor loads all events, five at a time, and reads the last one', async ({
  page,
  request,
}) => {
  const all = (await (await request.get('/api/discussions?_page=1&itemsPerPage=50')).json()) as Items
  expect(all['hydra:totalItems']).toBeGreaterThan(5)
  await page.goto('/discussions')
  await expect(h1(page)).toHaveText('Events')
  await expect(titles(page)).toHaveCount(5)
  while (await more(page).isVisible()) {
    const before = await titles(page).count()
    await more(page).click()
    await expect.poll(() => titles(page).count()).toBeGreaterThan(before)
  }
  await expect(titles(page)).toHaveText(all['hydra:member'].map(({ title }) => title))

  const last = titles(page).last()
  const title = await last.innerText()
  await last.click()
  await expect(page).toHaveURL(/\/discussions\/[a-z-]+$/)
  await expect(h1(page)).toHaveText(title)
  expect((await main(page).getByRole('article').innerText()).length).toBeGreaterThan(600)
})

test('EDIT-05: a supporter hears and sees what her plan includes, and is offered an upgrade for the rest', async ({
  device,
}) => {
  const page = await (await device({ of: 'supporter@murmur.example' })).newPage()
  const asked: string[] = []
  await page.route(/youtube-nocookie\.com|player\.vimeo\.com/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ body: 'a film', contentType: 'text/html' })
  })
  await page.goto('/articles/the-margins-of-a-page')
  await expect(main(page).getByRole('button', { name: 'Listen to the recording' })).toBeVisible()
  await expect(membersBlock(page, 'recording')).toHaveCount(0)

  await test.step('a video is requested from its host only after a press', async () => {
    expect(asked).toEqual([])
    await main(page).getByRole('button', { name: 'Show the film' }).click()
    await expect(main(page).frameLocator('iframe').getByText('a film')).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  await page.goto('/interviews/the-second-reading')
  await expect(membersBlock(page, 'recording')).toContainText('Your plan doesn’t include this recording')
  await expect(main(page).getByRole('button', { name: 'Listen to the recording' })).toHaveCount(0)
})
