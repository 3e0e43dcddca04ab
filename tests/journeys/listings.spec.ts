// Covers: catalogue, home, pages
import type { Page } from '@playwright/test'
import { takenOver } from '#tests/support/page-errors.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

const main = (page: Page) => page.getByRole('main')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const cards = (page: Page) => main(page).getByRole('list').first().getByRole('listitem')

test('NAV-01 NAV-15 NAV-16: from the home page to a listing, its next page and a book, by link and by address', async ({
  page,
}) => {
  await page.goto('/')
  await expect(heading(page, 'Good books, said softly.')).toBeVisible()
  await expect(page).toHaveTitle('Good books, said softly | Murmur')
  const inFooter = page.getByRole('contentinfo').getByRole('link', { name: 'Audiobooks', exact: true })
  await takenOver(page, inFooter)
  await inFooter.click()
  await expect(heading(page, 'Audiobooks')).toBeFocused()
  await expect(page).toHaveTitle('Audiobooks | Murmur')
  await expect(cards(page)).toHaveCount(12)

  const card = cards(page).first().getByRole('link')
  const before = (await card.getAttribute('href'))!
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/audiobooks?page=2')
  // The previous page stays, dimmed, until the next one has loaded.
  await expect(card).not.toHaveAttribute('href', before)
  const title = (await card.getByRole('heading').textContent())!
  await card.click()
  await expect(page).toHaveURL(/\/audiobooks\/[a-z0-9-]+$/)
  await expect(heading(page, title)).toBeFocused()
  await page.reload()
  await expect(heading(page, title)).toBeVisible()
  await expect(page).toHaveTitle(`${title} | Murmur`)

  await test.step('a title in both formats: the path decides the format', async () => {
    await page.goto('/ebooks/the-lamplighters-ledger')
    await takenOver(page)
    await main(page).getByRole('link', { name: '£14.99, 8 h 04 m' }).click()
    await expect(page).toHaveURL('/audiobooks/the-lamplighters-ledger')
    await expect(main(page).getByText('8 h 04 m', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Murmur' }).first().click()
    await expect(heading(page, 'Good books, said softly.')).toBeFocused()
  })
})

test('LIST-13 CONST-06 HDR-07: shelves, carousels and the header adapt to the window’s width', async ({
  page,
}) => {
  const carousel = (name: string) => main(page).getByRole('region', { name })

  await test.step('a carousel shows four books from 768 px, and 2.2 on phones', async () => {
    await page.goto('/')
    const list = carousel('Current highlights').getByRole('list')
    await list.scrollIntoViewIfNeeded()
    const slidesSeen = async () => {
      const [view, first, second] = await Promise.all([
        list.evaluate((element) => {
          const style = getComputedStyle(element)
          return element.clientWidth - Number.parseFloat(style.paddingLeft)
        }),
        list.getByRole('listitem').nth(0).boundingBox(),
        list.getByRole('listitem').nth(1).boundingBox(),
      ])
      return { view, step: second!.x - first!.x, width: first!.width }
    }
    await page.setViewportSize(DESKTOP)
    const wide = await slidesSeen()
    // Four fit between the gutters; the fifth is cut off.
    expect(Math.floor((1200 + (wide.step - wide.width)) / wide.step)).toBe(4)
    await page.setViewportSize(PHONE)
    const narrow = await slidesSeen()
    expect(narrow.view / narrow.step).toBeCloseTo(2.2, 1)
  })

  await test.step('a single book is not in a carousel', async () => {
    await page.route('**/api/audio_books/*/tag_related?*', async (route) => {
      const answer = await route.fetch()
      const found = (await answer.json()) as { 'hydra:member': object[] }
      const json = { ...found, 'hydra:member': found['hydra:member'].slice(0, 1) }
      await route.fulfill({ response: answer, json })
    })
    await carousel('Current highlights').getByRole('list').getByRole('link').first().click()
    const alone = carousel('Shelved nearby')
    await expect(alone.getByRole('listitem')).toHaveCount(1)
    const slide = async () => (await alone.getByRole('listitem').boundingBox())!
    const { x } = (await alone.getByRole('heading', { name: 'Shelved nearby' }).boundingBox())!
    expect(await slide()).toMatchObject({ x, width: PHONE.width - 2 * x })
    const cover = async () => (await alone.locator('img').first().boundingBox())!
    expect((await cover()).width).toBeLessThan(PHONE.width / 2)
    await page.setViewportSize(DESKTOP)
    expect((await cover()).width).toBeLessThan(1200 / 4)
    await expect(alone.getByRole('button', { name: /Previous|Next/ })).toHaveCount(0)
  })

  await test.step('the sample button stands below the cover, beside the price', async () => {
    await page.goto('/audiobooks')
    const card = cards(page).first()
    const isBelowCover = async () => {
      const [cover, button, price] = await Promise.all([
        card.locator('img').boundingBox(),
        card.getByRole('button', { name: /sample/ }).boundingBox(),
        card.getByText(/^£/).first().boundingBox(),
      ])
      const isBesidePrice = button!.x >= price!.x && button!.y <= price!.y + price!.height
      return button!.y >= cover!.y + cover!.height && isBesidePrice
    }
    await page.setViewportSize(PHONE)
    await expect.poll(isBelowCover).toBe(true)
    await page.setViewportSize(DESKTOP)
    await expect.poll(isBelowCover).toBe(true)
  })

  await test.step('a shelf has 2 columns at 390 px, 3 at 600, 4 at 1280', async () => {
    await page.goto('/audiobooks')
    for (const [width, columns] of [
      [390, 2],
      [600, 3],
      [1280, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      const tops = async () =>
        Promise.all((await cards(page).all()).map(async (card) => Math.round((await card.boundingBox())!.y)))
      const inTheFirstRow = async () => (await tops()).filter((top, _at, all) => top === all[0]).length
      await expect.poll(inTheFirstRow).toBe(columns)
    }
  })

  await test.step('the header hides below 20 px, and returns when scrolling up', async () => {
    const header = page.getByRole('banner')
    const wheel = async (by: number) => {
      await page.mouse.move(640, 400)
      await page.mouse.wheel(0, by)
    }
    await wheel(15)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(15)
    await expect(header).toBeInViewport({ ratio: 0.9 })
    await wheel(400)
    await expect(header).not.toBeInViewport()
    await wheel(-60)
    await expect(header).toBeInViewport({ ratio: 0.9 })
  })
})

test('BOOK-15 NAV-30: a restricted book leads to access denied, and logging in there brings its owner back', async ({
  page,
}) => {
  const path = '/audiobooks/embargoed-winter'
  expect((await page.goto(path))?.status()).toBe(403)
  await expect(page).toHaveURL(`/access-denied?from=${encodeURIComponent(path)}`)
  await expect(heading(page, 'This page needs an account')).toBeVisible()
  await main(page).getByRole('link', { name: 'Log in' }).click()
  await main(page).getByLabel('Email').fill('shelf@murmur.example')
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page, 'Embargoed Winter')).toBeVisible()
  await expect(page).toHaveTitle('Embargoed Winter | Murmur')
})
