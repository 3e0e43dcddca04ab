// Covers: analytics
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'

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
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

test('ANLT-01 ANLT-02 ANLT-03: nothing is tracked before consent and after a refusal; with consent each listing page and each book is tracked once', async ({
  page,
  request,
}) => {
  const elsewhere: string[] = []
  page.on('request', (asked) => {
    const { origin } = new URL(asked.url())
    if (origin !== new URL(page.url()).origin && page.url() !== 'about:blank') elsewhere.push(asked.url())
  })
  await page.goto('/audiobooks/nine-winters')
  const no = footer(page).getByRole('button', { name: 'No, thank you' })
  const setting = footer(page).getByRole('switch', { name: 'Count which books people look at' })
  // The footer hydrates after the page has loaded, so repeat a press that was too early.
  await expect(async () => {
    if (await no.isVisible()) await no.click()
    await expect(setting).not.toBeChecked({ timeout: 1_000 })
  }).toPass()
  expect(await told(page)).toEqual([])
  await follow(page, 'Audiobooks')
  await expect(page.getByRole('heading', { level: 1, name: 'Audiobooks' })).toBeVisible()
  expect(await told(page)).toEqual([])

  // The choice is stored, and can be changed at any time.
  await page.reload()
  await expect(async () => {
    await setting.check()
    await expect(setting).toBeChecked({ timeout: 1_000 })
  }).toPass()

  await test.step('a listing is tracked once per page that is shown', async () => {
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Page 2', exact: true })
      .click()
    await expect.poll(async () => (await listsTold(page)).length).toBe(1)
    const second = (await (await request.get('/api/audio_books?page=2&itemsPerPage=12')).json()) as {
      'hydra:member': { slug: string; price: number }[]
    }
    const { item_list_name, items } = (await listsTold(page))[0]!.ecommerce
    expect(item_list_name).toBe('Audiobooks')
    expect(items.map(({ item_id, price, index }) => ({ item_id, price, index }))).toEqual(
      second['hydra:member'].map(({ slug, price }, place) => ({
        item_id: `audio_books/${slug}`,
        price,
        index: 13 + place,
      })),
    )
  })

  await test.step('a book is tracked once, with its price', async () => {
    await page.goto('/audiobooks/nine-winters')
    await expect.poll(async () => (await told(page)).length).toBe(1)
    const [seen] = await told(page)
    expect(seen).toMatchObject({
      event: 'view_item',
      ecommerce: {
        currency: 'GBP',
        items: [{ item_id: 'audio_books/nine-winters', item_name: 'Nine Winters' }],
      },
    })
    expect(seen!.ecommerce.items[0]!.price).toBe(seen!.ecommerce.value)
    expect(seen!.ecommerce.tax).toBeCloseTo(seen!.ecommerce.value * 0.2, 2)
  })
  expect(elsewhere).toEqual([])
})
