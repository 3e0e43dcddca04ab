import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'

test.describe.configure({ timeout: 120_000 })

interface Told {
  event: string
  ecommerce: {
    currency: string
    value: number
    tax: number
    item_list_name?: string
    items: { item_id: string; item_name: string; price: number; index?: number }[]
  }
}
const told = (page: Page): Promise<Told[]> =>
  page.evaluate(() => (window as { dataLayer?: unknown[] }).dataLayer ?? []) as Promise<Told[]>
const listsTold = async (page: Page) => (await told(page)).filter(({ event }) => event === 'view_item_list')
const footer = (page: Page) => page.getByRole('contentinfo')
const agree = async (page: Page) => {
  await footer(page).getByRole('button', { name: 'Yes, count' }).click()
  await expect(footer(page).getByRole('switch', { name: 'Count which books people look at' })).toBeChecked()
}
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

test('ANLT-01: nothing is counted before a yes at the page’s end, nothing after a no, and nobody else is asked', async ({
  page,
}) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== new URL(page.url()).origin && page.url() !== 'about:blank') elsewhere.push(request.url())
  })
  await page.goto('/audiobooks')
  await expect(footer(page).getByRole('button', { name: 'Yes, count' })).toBeVisible()
  await page.goto('/audiobooks/nine-winters')
  expect(await told(page)).toEqual([])

  await footer(page).getByRole('button', { name: 'No, thank you' }).click()
  await follow(page, 'Audiobooks')
  await expect(page.getByRole('heading', { level: 1, name: 'Audiobooks' })).toBeVisible()
  expect(await told(page)).toEqual([])

  // The answer stands after a reload, and can be changed at any time.
  await page.reload()
  const setting = footer(page).getByRole('switch', { name: 'Count which books people look at' })
  await expect(setting).not.toBeChecked()
  await setting.click()
  await page.goto('/audiobooks/nine-winters')
  await expect.poll(async () => (await told(page)).length).toBe(1)
  const [seen] = await told(page)
  expect(seen!.ecommerce.currency).toBe('GBP')
  expect(seen!.ecommerce.tax).toBeCloseTo(seen!.ecommerce.value * 0.2, 2)
  expect(elsewhere).toEqual([])
})

test('ANLT-02: a listing is told once for each page of it that is shown', async ({ page, request }) => {
  await page.goto('/')
  await agree(page)
  await follow(page, 'Audiobooks')
  await expect.poll(async () => (await listsTold(page)).length).toBe(1)
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Page 2', exact: true })
    .click()
  await expect.poll(async () => (await listsTold(page)).length).toBe(2)

  const second = (await (await request.get('/api/audio_books?page=2&itemsPerPage=12')).json()) as {
    'hydra:member': { slug: string; price: number }[]
  }
  const { item_list_name, items } = (await listsTold(page))[1]!.ecommerce
  expect(item_list_name).toBe('Audiobooks')
  expect(items.map(({ item_id, price, index }) => ({ item_id, price, index }))).toEqual(
    second['hydra:member'].map(({ slug, price }, place) => ({
      item_id: `audio_books/${slug}`,
      price,
      index: 13 + place,
    })),
  )
})

test('ANLT-07: the search and the highlights are told page by page as they are loaded', async ({ page }) => {
  await page.goto('/')
  await agree(page)
  await page.goto('/search-books?keyword=harbour')
  await expect.poll(async () => (await listsTold(page)).length).toBe(1)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(async () => (await listsTold(page)).length).toBe(2)
  expect((await listsTold(page))[1]!.ecommerce).toMatchObject({ item_list_name: 'Search results' })

  await page.goto('/subscriber-selection?page=1&itemsPerPage=12')
  await expect.poll(async () => (await listsTold(page)).length).toBe(1)
  const [first] = await listsTold(page)
  expect(first!.ecommerce.item_list_name).toBe('Current highlights')
  expect(first!.ecommerce.items).toHaveLength(12)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(async () => (await listsTold(page)).length).toBe(2)
  expect((await listsTold(page))[1]!.ecommerce.items[0]!.index).toBe(13)
})

test('ANLT-03: a book’s page is told once, with what the reader pays', async ({ device }) => {
  const reader = await device({ of: 'reader@murmur.example' })
  const page = await reader.newPage()
  await page.goto('/')
  await agree(page)
  await page.goto('/audiobooks/the-orchard-at-low-tide')
  await expect.poll(async () => (await told(page)).length).toBe(1)
  const [seen] = await told(page)
  expect(seen).toMatchObject({
    event: 'view_item',
    ecommerce: {
      currency: 'GBP',
      value: 8,
      items: [
        { item_id: 'audio_books/the-orchard-at-low-tide', item_name: 'The Orchard at Low Tide', price: 8 },
      ],
    },
  })
})

test('the question and the setting can be used by everybody', async ({ page }) => {
  await page.goto('/faq')
  await expect(footer(page).getByRole('button', { name: 'Yes, count' })).toBeVisible()
  await expectAccessibleEverywhere(page)
  await agree(page)
  // From the top, where no link of the footer is cut by the tab bar.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleEverywhere(page)
})
