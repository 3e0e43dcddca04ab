// Covers: reading, highlights, notes, media, storage, sync
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { openPage } from '#tests/support/devices.ts'
import { drawn } from '#tests/support/animation-frames.ts'
import { fingerOn } from '#tests/support/touch.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { storedSession } from '#tests/support/stored-session.ts'

const BOOK = '/ebooks/ordinary-weather'

test('BOOK-17 BOOK-18 BOOK-24: an e-book is read with the reader’s settings, and resumes offline and on a desktop', async ({
  shop,
  device,
}) => {
  const viewport = PHONE
  const email = shop.someone('nell')
  const here = await device({ worker: true, viewport, of: email })
  const page = await openPage(here, BOOK)
  const reader = new AtTheBook(page)
  let quote = ''

  await test.step('the book’s page offers the file and the reader', async () => {
    // The URL on the page may have expired, so each press requests a new one.
    await page.getByRole('button', { name: 'More for Ordinary Weather' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForRequest(/\/api\/e_books\/ordinary-weather$/),
      page.getByRole('menuitem', { name: 'Download e-book' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.epub$/)
    await reader.open()
    await expect(page).toHaveTitle('Ordinary Weather | Murmur')
    await expect(reader.chapter('Title page')).toBeVisible()
  })

  await test.step('pages turn by key, by button and at the edge; the bar hides and returns', async () => {
    await page.keyboard.press('ArrowRight')
    await expect(reader.chapter('Mild')).toBeAttached()
    await expect(reader.bar).toHaveCSS('opacity', '0')
    await page.mouse.click(viewport.width / 2, viewport.height / 2)
    await expect(reader.bar).toHaveCSS('opacity', '1')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(reader.chapter('Title page')).toBeAttached()
    await page.mouse.click(viewport.width - 20, viewport.height / 2)
    await expect(reader.chapter('Mild')).toBeAttached()
  })

  await test.step('the table of contents leads to a chapter', async () => {
    await page.getByRole('button', { name: 'Contents' }).click()
    const contents = page.getByRole('dialog', { name: 'Contents' })
    await expect(contents.getByRole('button', { name: 'Mild' })).toHaveAttribute('aria-current', 'location')
    await contents.getByRole('button', { name: 'Occasional rain' }).click()
    await expect(contents).toBeHidden()
    await expect(reader.chapter('Occasional rain')).toBeAttached()
  })

  await test.step('listening: search covers the whole book, and text is highlighted with a note', async () => {
    await page.getByRole('button', { name: 'Search in this book' }).click()
    const search = page.getByRole('dialog', { name: 'Search in this book' })
    await search.getByRole('searchbox', { name: 'Words' }).fill('Becoming')
    await expect(search.getByRole('status')).toHaveText(/^\d+ places?$/)
    await expectAccessible(page)
    await search
      .getByRole('button', { name: /^Becoming brighter/ })
      .first()
      .click()
    await expect(search).toBeHidden()
    await expect(reader.chapter('Becoming brighter')).toBeAttached()

    quote = await reader.choose()
    const chosen = page.getByRole('group', { name: 'Chosen words' })
    await expectAccessible(page)
    await chosen.getByRole('button', { name: 'Note' }).click()
    const form = page.getByRole('dialog', { name: 'Note' })
    await form.getByRole('textbox', { name: 'Note' }).fill('Read this to Ida')
    await form.getByRole('button', { name: 'Save note' }).click()
    await expect(chosen).toBeHidden()
    await page.getByRole('button', { name: 'Contents' }).click()
    const contents = page.getByRole('dialog', { name: 'Contents' })
    await expect(contents.getByRole('region', { name: 'Highlights' })).toContainText('Read this to Ida')
    await contents.getByRole('button', { name: 'Occasional rain' }).click()
    await expect(reader.chapter('Occasional rain')).toBeAttached()
  })

  await test.step('font and paper are as chosen, and pass axe', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      // Without animations, because a fading bar has no defined contrast.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect
        .poll(() => reader.paper())
        .toBe(colorScheme === 'dark' ? 'rgb(17, 19, 26)' : 'rgb(251, 251, 249)')
    }
    await page.getByRole('button', { name: 'Text and colours' }).click()
    const look = page.getByRole('dialog', { name: 'Text and colours' })
    await look.getByRole('button', { name: 'Larger text' }).click()
    await look.getByRole('radio', { name: 'Sepia' }).check()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(look).toBeHidden()
    expect(await reader.typeSize()).toBe('20px')
    await expect.poll(() => reader.paper()).toBe('rgb(244, 234, 214)')
    await expectAccessible(page)
  })

  const left = await reader.spot()
  await test.step('reopened, the book has its place and settings', async () => {
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(BOOK)
    await reader.open()
    expect(await reader.spot()).toBe(left)
    expect(await reader.typeSize()).toBe('20px')
    expect(await reader.paper()).toBe('rgb(244, 234, 214)')
  })

  await test.step('once opened, it can be read offline, and the downloads page lists it', async () => {
    await page.goto('/library')
    await expect(page.getByRole('paragraph').filter({ hasText: /\d% read/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Download Ordinary Weather' })).toBeVisible()
    await page.goto('/downloads')
    await expect(page.getByRole('listitem').filter({ hasText: /^Ordinary Weather.*E-book, / })).toBeVisible()
    await page.close()
    await here.setOffline(true)
  })

  const tunnel = await here.newPage()
  await test.step('listening: offline, its highlight is in the notes, is found and can be exported', async () => {
    await tunnel.goto('/library/notes')
    await expect(tunnel.getByRole('heading', { name: 'Ordinary Weather' })).toBeVisible()
    await tunnel.getByRole('searchbox', { name: 'Search' }).fill('to ida')
    await expect(tunnel.getByRole('blockquote')).toHaveText(quote)
    await expect(tunnel).toHaveURL(/keyword=to/)
    await tunnel.getByRole('button', { name: 'Export', exact: true }).click()
    const [file] = await Promise.all([
      tunnel.waitForEvent('download'),
      tunnel.getByRole('menuitem', { name: 'Markdown, to read' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('murmur-notes-ordinary-weather.md')
    await expectAccessible(tunnel)
  })
  const inTheTunnel = new AtTheBook(tunnel)
  await tunnel.goto('/library')
  await tunnel.getByRole('link', { name: 'Ordinary Weather' }).click()
  await inTheTunnel.opened()
  expect(await inTheTunnel.spot()).toBe(left)
  await tunnel.getByRole('button', { name: 'Contents' }).click()
  await tunnel.getByRole('button', { name: 'Becoming brighter' }).click()
  await expect(inTheTunnel.chapter('Becoming brighter')).toBeAttached()
  const further = await inTheTunnel.spot()
  expect(further).not.toBe(left)

  await test.step('with the network back, another device finds the place', async () => {
    await tunnel.close()
    await here.setOffline(false)
    await openPage(here, '/library')
    const desk = await openPage(await device({ of: email }), BOOK)
    const elsewhere = new AtTheBook(desk)
    await expect(async () => {
      await desk.goto(BOOK)
      await elsewhere.open()
      await expect(elsewhere.chapter('Becoming brighter')).toBeAttached({ timeout: 5_000 })
    }).toPass({ timeout: 120_000 })
    await desk.mouse.click(20, DESKTOP.height / 2)
    await expect(elsewhere.chapter('Occasional rain')).toBeAttached()
    await desk.mouse.click(DESKTOP.width - 20, DESKTOP.height / 2)
    await expect(elsewhere.chapter('Becoming brighter')).toBeAttached()

    await test.step('a book without a file explains why it can’t be opened', async () => {
      await desk.goto('/read/letters-without-paper')
      await expect(desk).toHaveURL('/ebooks/letters-without-paper')
      await desk.getByRole('button', { name: 'Read', exact: true }).click()
      await expect(desk.getByRole('dialog', { name: 'This e-book has no file to open.' })).toBeVisible()
    })
  })
})

for (const [how, viewport] of [
  ['upright', PHONE],
  ['sideways', { width: PHONE.height, height: PHONE.width }],
  // The viewport of a phone at 200 %.
  ['with text twice as large', { width: 195, height: 422 }],
] as const)
  test(`BOOK-24: by touch, ${how}: a tap shows the bar, which stays; contents, text settings and exit are one tap away`, async ({
    browser,
    shop,
  }) => {
    const context = await browser.newContext({
      baseURL: shop.url,
      viewport,
      hasTouch: true,
      isMobile: true,
      storageState: await storedSession(shop.url, shop.someone('nell')),
    })
    const page = await openPage(context, '/read/ordinary-weather')
    const reader = new AtTheBook(page)
    const { width, height } = viewport
    const finger = await fingerOn(page)
    await expect(reader.chapter('Title page')).toBeVisible()
    const turn = async () => {
      const before = await reader.spot()
      await finger.tapAt(width * 0.9, height / 2)
      await expect.poll(() => reader.spot()).not.toBe(before)
      await expect(reader.bar).toHaveCSS('opacity', '0')
    }
    const callBar = async (x: number, y: number) => {
      await finger.tapAt(x, y)
      await expect(reader.bar).toHaveCSS('opacity', '1')
      // Wait: the bar used to disappear again after thirty frames.
      await drawn(page, 60)
      await expect(reader.bar).toHaveCSS('opacity', '1')
    }

    await turn()
    await callBar(width / 2, height / 2)
    await finger.tap(page.getByRole('button', { name: 'Contents' }))
    const contents = page.getByRole('dialog', { name: 'Contents' })
    await finger.tap(contents.getByRole('button', { name: 'Mild' }))
    await expect(contents).toBeHidden()
    await expect(reader.chapter('Mild')).toBeAttached()
    const spots = await reader.spotsFromNow()
    await turn()
    // Tap where the bar's hidden buttons are: the tap must not press them.
    await callBar(28, 28)
    await expect(page).toHaveURL('/read/ordinary-weather')
    await finger.tap(page.getByRole('button', { name: 'Text and colours' }))
    const look = page.getByRole('dialog', { name: 'Text and colours' })
    await expect(look).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(look).toBeHidden()
    await turn()
    const left = await reader.spot()
    // Turning the page into another chapter also announces only one place.
    expect(await spots()).toHaveLength(2)
    // The chapter is not laid out twice, because its typeface is loaded before the text.
    expect(await reader.typefaceAskedFor()).toEqual([])
    await callBar(width / 2, height / 2)
    await finger.tap(page.getByRole('button', { name: 'Close the book' }))
    await expect(page).toHaveURL(BOOK)
    await reader.open()
    expect(await reader.spot()).toBe(left)
    await context.close()
  })

class AtTheBook {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open() {
    await this.page.getByRole('link', { name: /^(Read|Continue reading)$/ }).click()
    await this.opened()
  }

  async opened() {
    await expect(this.page.getByText(/^\d+% · /)).toBeVisible()
    await expect(this.page.getByRole('region', { name: /^Reading / })).toHaveAttribute('aria-busy', 'false')
  }

  get bar() {
    return this.page.locator('header', { has: this.page.getByRole('group', { name: 'Reading tools' }) })
  }

  chapter = (name: string) =>
    this.page.getByRole('group', { name: 'Reading tools' }).getByText(name, { exact: true })
  spot = () => this.page.getByText(/^\d+% · /).innerText()

  /** Records every place that the screen announces from now on, including very short ones. */
  async spotsFromNow(): Promise<() => Promise<string[]>> {
    const spots = await this.page.getByText(/^\d+% · /).evaluateHandle((line) => {
      const said: string[] = []
      new MutationObserver(() => said.push(line.textContent ?? '')).observe(line, {
        characterData: true,
        childList: true,
        subtree: true,
      })
      return said
    })
    return () => spots.evaluate((said) => said)
  }

  /** Runs in the book's own document, which locators can't reach because it is in a closed shadow root. */
  async #inBook<T>(read: () => T): Promise<T> {
    const frame = this.page.frames().findLast((each) => each.url().startsWith('blob:'))
    return frame!.evaluate(read)
  }

  /** Selects the text of the first paragraph, as a finger does. */
  choose = () =>
    this.#inBook(() => {
      const paragraph = [...document.querySelectorAll('p')].find(
        (each) => (each.textContent ?? '').length > 40,
      )
      if (!paragraph) throw new Error('no paragraph')
      getSelection()?.selectAllChildren(paragraph)
      return (paragraph.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
    })

  /** The URLs from which the current chapter requested the typeface of its text. */
  typefaceAskedFor = () =>
    this.#inBook(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('newsreader')),
    )
  typeSize = () => this.#inBook(() => getComputedStyle(document.documentElement).fontSize)
  paper = () => this.#inBook(() => getComputedStyle(document.documentElement).backgroundColor)
}
