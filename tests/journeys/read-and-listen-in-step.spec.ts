// Covers: reading, player, listening, in-step
import { expectAccessible } from '#tests/support/accessible.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { download } from '#tests/support/title-actions.ts'

/** Owns the audiobook and the e-book of the same title. */
const OWNER = 'shelf@murmur.example'
const SLUG = 'the-salt-ledger'
const TITLE = 'The Salt Ledger'

/** The reader's own element, which says where its page is in the book. */
interface ReaderView extends HTMLElement {
  readonly lastLocation?: { readonly fraction: number }
  readonly renderer: HTMLElement
}

test('in step: a listener reads along, turns pages by hand, taps a sentence, and switches between player and reader', async ({
  shop,
  device,
}) => {
  await shop.murmur('titles', 'analyse', SLUG)
  await test.step('a visitor hears ten seconds of the sample on the book’s page, with the spoken sentence marked', async () => {
    const visitor = await (await device()).newPage()
    await visitor.goto(`/audiobooks/${SLUG}`)
    const offer = visitor.getByRole('region', { name: 'Read and listen in step' })
    await offer.getByRole('button', { name: 'Play ten seconds of it' }).click()
    await expect(offer.locator('[aria-current]')).toHaveText(/^Every cargo/)
    await expect(offer.getByRole('button', { name: 'Play ten seconds of it' })).toBeVisible()
    await expectAccessible(visitor)
    await visitor.context().close()
  })

  const here = await device({ worker: true, viewport: PHONE, of: OWNER })
  const page = await openPage(here, `/ebooks/${SLUG}`)
  const bar = page.getByRole('region', { name: 'Player' })
  const tools = page.getByRole('group', { name: 'Reading tools' })
  const back = page.getByRole('button', { name: 'Back to where it plays' })

  await test.step('“Listen from here” plays, and a thin bar takes the place of the page numbers', async () => {
    await page.getByRole('link', { name: /^(Read|Continue reading)$/ }).click()
    await expect(page.getByText(/^\d+% · /)).toBeVisible()
    await page.getByRole('button', { name: 'Contents' }).click()
    const contents = page.getByRole('dialog', { name: 'Contents' })
    await contents.getByRole('button', { name: 'Two sets of books' }).click()
    await expect(contents).toBeHidden()
    await expect(tools.getByText('Two sets of books', { exact: true })).toBeAttached()
    await tools.getByRole('button', { name: 'Listen from here' }).click()
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect(bar.getByText('Two sets of books')).toBeVisible()
    await expect(bar.getByText(/\d+ min left/)).toBeVisible()
    await expect(page.getByText(/^\d+% · /)).toBeHidden()
    await expectAccessible(page)
  })

  await test.step('a page turned by hand doesn’t stop the sound, and one press leads back', async () => {
    await page.keyboard.press('End')
    await expect(back).toBeVisible()
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expectAccessible(page)
    await back.click()
    await expect(back).toBeHidden()
    await expect(tools.getByText('Two sets of books', { exact: true })).toBeAttached()
  })

  const sound = page.locator('audio[data-player]')
  const seconds = () => sound.evaluate((audio: HTMLAudioElement) => audio.currentTime)
  const goTo = (to: number) => sound.evaluate((audio: HTMLAudioElement, at) => (audio.currentTime = at), to)

  await test.step('a tap on a sentence plays from it', async () => {
    await goTo(1)
    await expect.poll(seconds).toBeLessThan(8)
    await page.mouse.click(PHONE.width / 2, PHONE.height * 0.6)
    await expect.poll(seconds).toBeGreaterThan(12)
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
  })

  await test.step('in landscape with text of twice the size the thin bar keeps its buttons, and the page its sentence', async () => {
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    for (const name of ['Pause', 'Stop listening'])
      await expect(bar.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    await expect(back).toBeHidden()
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    await page.setViewportSize(PHONE)
  })

  await test.step('pages turn by themselves, and stopping shows on which page the reader is', async () => {
    const share = () =>
      page.locator('foliate-view').evaluate((view: ReaderView) => view.lastLocation?.fraction ?? 0)
    const before = await share()
    // So slow that the chapter doesn't end meanwhile.
    await sound.evaluate((audio: HTMLAudioElement) => (audio.playbackRate = 0.1))
    await goTo(66)
    await expect.poll(share).toBeGreaterThan(before)
    await bar.getByRole('button', { name: 'Stop listening' }).click()
    await expect(page.getByText(/^\d+% · last page of this chapter$/)).toBeVisible()
    await tools.getByRole('button', { name: 'Listen from here' }).click()
    await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
  })

  await test.step('the player shows the text, and a press on a sentence plays from it', async () => {
    await bar.getByRole('link', { name: /Open the player$/ }).click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    const text = page.getByRole('region', { name: 'Text' })
    const spoken = text.locator('[aria-current]')
    await expect(spoken).toHaveCount(1)
    const sentence = text.getByRole('listitem').nth(9).getByRole('button')
    await sentence.click()
    await expect(sentence).toHaveAttribute('aria-current', 'true')
    await text.getByRole('searchbox').fill('zebra crossing')
    await expect(text.getByRole('status')).toHaveText('Not in this book. Try one word.')
    await text.getByRole('searchbox').fill('')
    await expect(spoken).toHaveCount(1)
    await expectAccessible(page)
  })

  await test.step('a press on words that were searched plays them, and a bookmark keeps their sentence', async () => {
    const text = page.getByRole('region', { name: 'Text' })
    const words = await text.getByRole('listitem').nth(3).getByRole('button').innerText()
    await text.getByRole('searchbox').fill(words)
    await text.getByRole('listitem').getByRole('button').filter({ hasText: words }).click()
    await expect(text.locator('[aria-current]')).toHaveText(words)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('button', { name: 'Bookmark this place' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Bookmarks' }).click()
    const marks = page.getByRole('dialog', { name: 'Bookmarks' })
    await expect(marks.getByText(words)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(marks).toBeHidden()
  })

  await test.step('shortened silences say what they save in this book', async () => {
    await page.getByRole('button', { name: /Speed$/ }).click()
    const speed = page.getByRole('dialog', { name: 'Speed' })
    await speed.getByRole('button', { name: 'Brisk' }).click()
    await expect(speed.getByText(/^\d+ (second|minute)s? saved in this book\.$/)).toBeVisible()
    await expectAccessible(page)
    await speed.getByRole('button', { name: 'Off' }).click()
    await page.keyboard.press('Escape')
    await expect(speed).toBeHidden()
  })

  await test.step('“What happened just now” shows what was heard, and the reader opens where it plays', async () => {
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await page.getByRole('menuitem', { name: 'What happened just now' }).click()
    const now = page.getByRole('dialog', { name: 'What happened just now' })
    await expect(now.getByText('You are here')).toBeVisible()
    await expectAccessible(page)
    await now.getByRole('button', { name: 'Carry on from here' }).click()
    await expect(now).toBeHidden()
    await more.click()
    await page.getByRole('menuitem', { name: 'Read from here' }).click()
    await expect(page).toHaveURL(/\/read\/the-salt-ledger\?at=/)
    await expect(bar.getByText(/\d+ min left/)).toBeVisible()
    await bar.getByRole('button', { name: 'Stop listening' }).click()
    await expect(page.getByText(/^\d+% · /)).toBeVisible()
  })

  await test.step('in a tunnel “Listen from here” plays from the page, and “Read from here” leads back to it', async () => {
    await page.goto(`/audiobooks/${SLUG}`)
    await download(page, TITLE)
    await page.close()
    await here.setOffline(true)
    const tunnel = await here.newPage()
    await tunnel.goto(`/read/${SLUG}`)
    const along = tunnel.getByRole('region', { name: 'Player' })
    await tunnel.getByRole('button', { name: 'Listen from here' }).click()
    await expect(along.getByText('Two sets of books')).toBeVisible()
    await expect
      .poll(() => tunnel.locator('audio[data-player]').evaluate((audio: HTMLAudioElement) => !audio.paused))
      .toBe(true)
    await along.getByRole('link', { name: /Open the player$/ }).click()
    await tunnel.getByRole('button', { name: 'More', exact: true }).click()
    await tunnel.getByRole('menuitem', { name: 'Read from here' }).click()
    await expect(tunnel).toHaveURL(/\/read\/the-salt-ledger\?at=/)
    await expect(along.getByText('Two sets of books')).toBeVisible()
  })

  await test.step('with reduced motion pages turn without sliding', async () => {
    const still = await here.newPage()
    await still.emulateMedia({ reducedMotion: 'reduce' })
    await still.goto(`/read/${SLUG}`)
    await expect(still.getByText(/^\d+% · /)).toBeVisible()
    const slides = (view: ReaderView) => view.renderer.hasAttribute('animated')
    expect(await still.locator('foliate-view').evaluate(slides)).toBe(false)
  })
})
