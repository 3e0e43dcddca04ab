// Covers: catalogue
import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/animation-frames.ts'
import { expect, test } from '#tests/support/journey.ts'

const main = (page: Page) => page.getByRole('main')
const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' })
const shownTitles = (page: Page) => main(page).getByRole('list').getByRole('heading', { level: 2 })
const waiting = (page: Page) => main(page).locator('ul[aria-busy="true"]')
const pages = (page: Page) => main(page).getByRole('navigation', { name: 'Pages' })
const scrolled = (page: Page) => page.evaluate(() => window.scrollY)

async function openPanel(page: Page) {
  // A press before hydration is lost, so repeat it as a user would.
  await expect(async () => {
    if (!(await panel(page).isVisible()))
      await main(page).getByRole('button', { name: 'Show filters' }).click()
    await expect(panel(page)).toBeVisible({ timeout: 3_000 })
  }).toPass()
}

test('LIST-25 LIST-26 LIST-02: filters combine and are in the address; Back, Forward and the address restore them exactly', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  const everything = await shownTitles(page).allInnerTexts()
  await openPanel(page)
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/audio_books?**styles**', async (route) => {
    await held
    await route.continue()
  })
  await panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true }).check()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await expect(waiting(page)).toHaveCSS('opacity', '0.6')
  await expect(waiting(page).getByRole('listitem')).toHaveCount(12)
  answer()
  await expect.poll(() => shownTitles(page).allInnerTexts()).not.toEqual(everything)
  const lyrical = await shownTitles(page).allInnerTexts()
  await panel(page).getByText('Publisher', { exact: true }).click()
  await panel(page).getByRole('checkbox', { name: 'Slate Yard', exact: true }).check()
  await expect(page).toHaveURL(/publishers\[\]=\d+/)
  await expect.poll(() => shownTitles(page).allInnerTexts()).not.toEqual(lyrical)
  const both = await shownTitles(page).allInnerTexts()
  for (const title of both) expect(lyrical).toContain(title)

  const address = page.url()
  await page.goBack()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await expect(shownTitles(page)).toHaveText(lyrical)
  await page.goForward()
  await expect(shownTitles(page)).toHaveText(both)
  await page.goto('/')
  await page.goto(address)
  await expect(shownTitles(page)).toHaveText(both)
  await main(page).getByRole('button', { name: 'Remove Slate Yard' }).click()
  await expect(shownTitles(page)).toHaveText(lyrical)
  await expect(main(page).getByRole('button', { name: 'Remove Lyrical' })).toBeVisible()
})

test('LIST-26: Back returns to the page and scroll position from a shorter page and from a book', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  await openPanel(page)
  const lyrical = panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true })
  await lyrical.check()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await lyrical.uncheck()
  await expect(page).toHaveURL(/\/audiobooks$/)
  await expect(shownTitles(page)).toHaveCount(12)
  await expect(waiting(page)).toHaveCount(0)

  await test.step('from a short page to the longer one before the filter', async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const bottom = await scrolled(page)
    expect(bottom).toBeGreaterThan(1000)
    // Wait as long as a reader would. Click by script, because a mouse click would first scroll the link into view.
    await drawn(page, 20)
    await pages(page)
      .getByRole('link', { name: /^Page \d/ })
      .last()
      .evaluate((link: HTMLElement) => link.click())
    await expect(page).toHaveURL(/\?page=\d+$/)
    await expect.poll(() => shownTitles(page).count()).toBeLessThan(12)
    await page.goBack()
    await expect(shownTitles(page)).toHaveCount(12)
    await expect.poll(() => scrolled(page)).toBe(bottom)
  })

  await test.step('from a book', async () => {
    const first = await shownTitles(page).allInnerTexts()
    await pages(page).getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(/\?page=2$/)
    // The previous page stays, dimmed, until the next one has loaded.
    await expect(shownTitles(page)).not.toHaveText(first)
    const second = await shownTitles(page).allInnerTexts()
    await shownTitles(page).nth(9).scrollIntoViewIfNeeded()
    const top = await scrolled(page)
    await shownTitles(page).nth(9).click()
    await expect(page).toHaveURL(/\/audiobooks\/[a-z]/)
    await page.goBack()
    await expect(shownTitles(page)).toHaveText(second)
    await expect.poll(() => scrolled(page)).toBeGreaterThan(top - 60)
  })
})
