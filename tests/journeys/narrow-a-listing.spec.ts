import type { Page } from '@playwright/test'
import { drawn } from '#tests/support/drawn.ts'
import { expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

interface Listed {
  'hydra:totalItems': number
  'hydra:member': { slug: string; title: string; lengthHours: number | null }[]
}

const main = (page: Page) => page.getByRole('main')
const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' })
const results = (page: Page) => main(page).getByRole('status')
const shownTitles = (page: Page) => main(page).getByRole('list').getByRole('heading', { level: 2 })
const pages = (page: Page) => main(page).getByRole('navigation', { name: 'Pages' })
const show = (page: Page) => main(page).getByRole('button', { name: 'Show filters' })

async function openPanel(page: Page) {
  // A press before the page has come alive is lost, as a person would notice and press again.
  await expect(async () => {
    if (!(await panel(page).isVisible())) await show(page).click()
    await expect(panel(page)).toBeVisible({ timeout: 3_000 })
  }).toPass()
}

async function openGroup(page: Page, name: string) {
  const group = panel(page)
    .locator('details')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
  if (!(await group.evaluate((details: HTMLDetailsElement) => details.open)))
    await group.locator('summary').click()
}

test('LIST-03 LIST-05 LIST-11: a toggle shows and hides the filters, nationality of audiobooks only; while other results are on their way the shelf stays, dimmed', async ({
  page,
}) => {
  await page.goto('/ebooks')
  await openPanel(page)
  await expect(panel(page).getByRole('heading', { name: 'Publisher' })).toBeVisible()
  await expect(panel(page).getByText('Author nationality')).toHaveCount(0)

  await page.goto('/audiobooks')
  await expect(panel(page)).toHaveCount(0)
  await openPanel(page)
  for (const name of [
    'Style',
    'Length',
    'Category',
    'Geographical setting',
    'Publisher',
    'Author nationality',
  ])
    await expect(panel(page).getByRole('heading', { name, exact: true })).toBeVisible()
  const toggle = main(page).getByRole('button', { name: 'Hide filters' })
  await toggle.click()
  await expect(panel(page)).toHaveCount(0)
  await openPanel(page)

  await test.step('pressed twice at once it leaves the panel as it was', async () => {
    await toggle.evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    // Time enough for a wrong one to be drawn.
    await drawn(page)
    await expect(panel(page)).toBeVisible()
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  })
  await expect(panel(page).getByRole('checkbox').first()).toBeVisible()
  await expectAccessibleInBoth(page)

  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/audio_books?**styles**', async (route) => {
    await held
    await route.continue()
  })
  await panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true }).click()
  const grid = main(page).locator('ul[aria-busy="true"]')
  await expect(grid).toBeVisible()
  await expect(grid.getByRole('listitem')).toHaveCount(12)
  await expect(grid).toHaveCSS('opacity', '0.6')
  answer()
  await expect(main(page).locator('ul[aria-busy="true"]')).toHaveCount(0)
})

test('LIST-04 LIST-22 LIST-23 LIST-24 LIST-10: a style, a category, a setting and a publisher each narrow the listing to their books, from page 1', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  await openPanel(page)
  await narrows(page, 'Style', 'Lyrical', 'styles')
  await narrows(page, 'Category', 'Memoir', 'categories')
  await narrows(page, 'Geographical setting', 'Mountains', 'locations')
  await narrows(page, 'Publisher', 'Slate Yard', 'publishers')
})

async function narrows(page: Page, group: string, name: string, query: string) {
  await pages(page).getByRole('link', { name: 'Page 2', exact: true }).click()
  await expect(page).toHaveURL(/\?page=2$/)
  await openPanel(page)
  await openGroup(page, group)
  const choice = panel(page).getByRole('checkbox', { name, exact: true })
  await choice.check()
  await expect(page).toHaveURL(new RegExp(`\\?${query}\\[\\]=\\d+$`))
  const id = new URL(page.url()).searchParams.get(`${query}[]`)
  const answer = await page.request.get(`/api/audio_books?${query}[]=${id}&itemsPerPage=12`)
  const said = (await answer.json()) as Listed
  expect(said['hydra:totalItems']).toBeGreaterThan(0)
  await expect(results(page)).toHaveText(new RegExp(`^${said['hydra:totalItems']} results?$`))
  await expect(shownTitles(page)).toHaveText(said['hydra:member'].map(({ title }) => title))
  await choice.uncheck()
  await expect(page).toHaveURL(/\/audiobooks$/)
}

test('LIST-25 LIST-26 LIST-02: filters narrow together, write the address, and Back and Forward return exactly', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  const everything = await shownTitles(page).allInnerTexts()
  await openPanel(page)
  await panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true }).check()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await expect.poll(() => shownTitles(page).allInnerTexts()).not.toEqual(everything)
  const lyrical = await shownTitles(page).allInnerTexts()
  await openGroup(page, 'Publisher')
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
  for (const name of ['Remove Lyrical', 'Remove Slate Yard'])
    await expect(main(page).getByRole('button', { name })).toBeVisible()
  await main(page).getByRole('button', { name: 'Remove Slate Yard' }).click()
  await expect(shownTitles(page)).toHaveText(lyrical)
})

test('LIST-06 LIST-09 LIST-12: audiobooks from 1 to 9 hours; the same length again clears it, and where nothing is left the listing says so, and never of the next one', async ({
  page,
  request,
}) => {
  await page.goto('/audiobooks')
  await openPanel(page)
  const lengths = panel(page).getByRole('group', { name: /^Length/ })
  const buttons = lengths.getByRole('button')
  await expect(buttons).toHaveCount(9)
  await buttons.nth(8).click()
  await expect(page).toHaveURL(/\?lengthHours\[lte\]=9$/)
  const said = (await (
    await request.get('/api/audio_books?lengthHours[lte]=9&itemsPerPage=12')
  ).json()) as Listed
  await expect(results(page)).toHaveText(`${said['hydra:totalItems']} results`)
  await buttons.nth(5).click()
  await expect(page).toHaveURL(/\?lengthHours\[gte\]=6$/)
  await expect(buttons.nth(5)).toHaveAttribute('aria-pressed', 'true')
  await buttons.nth(5).click()
  await expect(page).toHaveURL(/\/audiobooks$/)

  await page.goto('/audiobooks?styles[]=999999')
  await expect(main(page).getByText('Sorry, no results. Try again or visit our collection.')).toBeVisible()
  await expect(main(page).getByRole('link', { name: /audiobooks/ })).toHaveAttribute('href', /^\/audiobooks/)
  await expect(results(page)).toHaveText('0 results')
  const clear = main(page).getByRole('button', { name: 'Clear all' })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/audio_books?**', async (route) => {
    await held
    await route.continue()
  })
  await page.evaluate(() => {
    const said = new Set<string>()
    const look = () => {
      const count = document.querySelector('main [role=status]')?.textContent ?? ''
      if (document.querySelector('main')?.textContent?.includes('Sorry, no results.')) said.add(count)
    }
    new MutationObserver(look).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    })
    Object.assign(window, { saidOfNone: said })
  })
  await clear.click()
  await expect(main(page).locator('[aria-busy="true"]')).toHaveCSS('opacity', '0.6')
  answer()
  await expect(shownTitles(page)).toHaveCount(12)
  const saidOfNone = await page.evaluate(() => [
    ...(window as never as { saidOfNone: Set<string> }).saidOfNone,
  ])
  expect(saidOfNone.filter((count) => count !== '0 results')).toEqual([])
})

test('LIST-26: Back from a short page to the long one that a filter showed returns to the place', async ({
  page,
}) => {
  const scrolled = () => page.evaluate(() => window.scrollY)
  await page.goto('/audiobooks')
  await openPanel(page)
  await panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true }).check()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  await panel(page).getByRole('checkbox', { name: 'Lyrical', exact: true }).uncheck()
  await expect(page).toHaveURL(/\/audiobooks$/)
  await expect(shownTitles(page)).toHaveCount(12)
  await expect(main(page).locator('ul[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const bottom = await scrolled()
  expect(bottom).toBeGreaterThan(1000)
  // Somebody reads before they turn the page. A click by the mouse would bring the link into sight first.
  await drawn(page, 20)
  await pages(page)
    .getByRole('link', { name: /^Page \d/ })
    .last()
    .evaluate((link: HTMLElement) => link.click())
  await expect(page).toHaveURL(/\?page=\d+$/)
  await expect.poll(() => shownTitles(page).count()).toBeLessThan(12)
  await page.goBack()
  await expect(shownTitles(page)).toHaveCount(12)
  await expect.poll(scrolled).toBe(bottom)
})

test('LIST-26: pages are in the address too; from a book Back returns to the page and the place', async ({
  page,
}) => {
  await page.goto('/audiobooks')
  const first = await shownTitles(page).allInnerTexts()
  await pages(page).getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(pages(page).getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  const current = pages(page).locator('[aria-current]')
  await expect(current).toHaveCount(1)
  // The page before stays, dimmed, until the next one is there.
  await expect(shownTitles(page)).not.toHaveText(first)
  const second = await shownTitles(page).allInnerTexts()
  await shownTitles(page).nth(9).scrollIntoViewIfNeeded()
  const top = await page.evaluate(() => window.scrollY)
  await shownTitles(page).nth(9).click()
  await expect(page).toHaveURL(/\/audiobooks\/[a-z]/)
  await page.goBack()
  await expect(shownTitles(page)).toHaveText(second)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(top - 60)

  // Beyond the end no page is the current one, and the last ones are offered.
  await page.goto('/audiobooks?page=99')
  await expect(main(page).getByText(/^There are only \d+ pages\.$/)).toBeVisible()
  await expect(current).toHaveCount(0)
  await main(page)
    .getByRole('link', { name: /^Page \d/ })
    .last()
    .click()
  await expect(shownTitles(page).first()).toBeVisible()
})

test('on phones the filters come in a sheet, and its button says how much is left', async ({
  page,
  request,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/audiobooks')
  await expectAccessibleInBoth(page)
  await main(page).getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('checkbox', { name: 'Lyrical', exact: true }).check()
  await expect(page).toHaveURL(/\?styles\[\]=\d+$/)
  const id = new URL(page.url()).searchParams.get('styles[]')
  const said = (await (await request.get(`/api/audio_books?styles[]=${id}`)).json()) as Listed
  const showThem = sheet.getByRole('button', { name: `Show ${said['hydra:totalItems']} results` })
  await expect(showThem).toBeVisible()
  await expect(page.locator('ul[aria-busy="true"]')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await showThem.click()
  await expect(sheet).toBeHidden()
  await expect(results(page)).toHaveText(`${said['hydra:totalItems']} results`)
  await expect(main(page).getByRole('button', { name: 'Filters' })).toBeFocused()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
