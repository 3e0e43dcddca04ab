// Covers: office, catalogue
import sharp from 'sharp'
import { mp3 } from '#importer/fixtures/owners-folder.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { invited, joinOffice, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-27 OFFICE-29 OFFICE-70: an editor prices a title in the list, several in a drawer, takes both back, edits a text that its folder gave, and sets a cover', async ({
  shop,
  device,
}) => {
  const page = await withFingerprint(await device())
  await joinOffice(page, await invited(shop, 'edda@titles.example', 'editor'), 'Edda Marlow')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(page.getByRole('link', { name: 'Nine Rooms of Rain' })).toBeVisible()

  await test.step('a price becomes a field, says what members will pay, and is undone', async () => {
    await page.getByRole('button', { name: 'Change the price of Nine Rooms of Rain: £13.00' }).click()
    await page.getByRole('textbox', { name: 'Price of Nine Rooms of Rain' }).fill('15')
    await expect(page.getByText('Members pay £12.00.')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Priced Nine Rooms of Rain at £15.00.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Put the prices back.')).toBeVisible()
    await expect(
      page.getByRole('button', { name: 'Change the price of Nine Rooms of Rain: £13.00' }),
    ).toBeVisible()
  })

  await test.step('several prices change by per cent, after a preview', async () => {
    await page.getByRole('checkbox', { name: 'Select Nine Rooms of Rain' }).check()
    await page.getByRole('checkbox', { name: 'Select The Quiet Ferry' }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const drawer = page.getByRole('dialog', { name: 'Change 2 prices' })
    await drawer.getByRole('radio', { name: 'By per cent' }).check()
    await drawer.getByLabel('Change', { exact: true }).fill('-15')
    await expect(drawer.getByRole('row', { name: /Nine Rooms of Rain/ })).toContainText('£10.99')
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Change 2 prices' }).click()
    await expect(page.getByText('Changed the prices of 2 titles.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: /Change the price of The Quiet Ferry: £11/ })).toBeVisible()
  })

  await test.step('all titles of the list are selected, not only those that are loaded', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: /^Select all \d+ titles that are loaded/ }).check()
    const all = page.getByRole('button', { name: /^Select all \d+$/ })
    const count = /\d+/.exec((await all.textContent()) ?? '')?.[0]
    await all.click()
    await expect(page.getByText(`${count} selected`)).toBeVisible()
    await page.getByRole('button', { name: 'Change prices' }).click()
    await expect(page.getByRole('dialog', { name: `Change ${count} prices` })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a typed text survives a reload, is seen in the shop, and is given back to the folder', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Nine Rooms of Rain' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Nine Rooms of Rain' })).toBeVisible()
    await page.getByLabel('Description').fill('Rain, in nine rooms.')
    await page.reload()
    await expect(page.getByLabel('Description')).toHaveValue('Rain, in nine rooms.')
    await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Rain, in nine rooms.')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(/^Changed description of Nine Rooms of Rain/)).toBeVisible()
    const seen = await page.request.get(`${shop.url}/api/audio_books/nine-rooms-of-rain`)
    expect((await seen.json()).summary).toBe('<p>Rain, in nine rooms.</p>')
    await expect(page.getByText(/Changed here\. The folder says “/)).toBeVisible()
    await page.getByRole('button', { name: 'Use the folder’s' }).click()
    await expect(page.getByText('Took the folder’s description')).toBeVisible()
    await expect(page.getByLabel('Description')).not.toHaveValue('Rain, in nine rooms.')
  })

  await test.step('a picture is cropped by keyboard, becomes the cover with its colours, and the drawing comes back', async () => {
    const cover = page.getByRole('img', { name: 'Audiobook’s cover' })
    const before = await cover.getAttribute('src')
    const wide = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#1f2e50' } })
      .png()
      .toBuffer()
    const choose = page.getByLabel('A picture for the audiobook')
    await choose.setInputFiles({
      name: 'cover.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    })
    await expect(page.getByText('A cover is a JPEG, PNG or WebP picture.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep the cover as it is' }).click()
    await choose.setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: wide })
    const frame = page.getByRole('button', { name: /^The part that becomes the cover/ })
    await expect(frame).toBeFocused()
    const left = () => frame.evaluate((each) => each.style.left)
    const middle = await left()
    await frame.press('ArrowRight')
    await expect.poll(left).not.toBe(middle)
    await expect(page.getByText('Band #1F2E50')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use this cover' }).click()
    await expect(page.getByText('Changed cover, colours of Nine Rooms of Rain.')).toBeVisible()
    await expect(cover).not.toHaveAttribute('src', before!)
    await expect(page.getByLabel('Band')).toHaveValue('#1F2E50')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cover).toHaveAttribute('src', before!)
  })

  await test.step('chapters are put into order by keyboard, survive a reload, get another sound, and are put back', async () => {
    const names = page.getByRole('textbox', { name: /^Name of chapter/ })
    await expect(names.first()).toHaveValue('The first room')
    await page.getByRole('button', { name: 'Move The first room', exact: true }).press('Alt+ArrowDown')
    await expect(names.first()).toHaveValue('The fourth room')
    await names.first().fill('The room upstairs')
    await page.reload()
    await expect(names.first()).toHaveValue('The room upstairs')
    const replace = async (chapter: string, title: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: `Replace the sound of ${chapter}`, exact: true }).click()
      const sound = page.waitForResponse((answer) => answer.url().endsWith('/api/office/sounds'))
      await (
        await chooser
      ).setFiles({ name: `${title}.mp3`, mimeType: 'audio/mpeg', buffer: Buffer.from(mp3({ title })) })
      await sound
      await expect(page.getByText(`${chapter} has its sound. Save`)).toBeVisible()
    }
    // Two chapters share a sound, and one gets another.
    await replace('The first room', 'Rain')
    await replace('The ninth room', 'Rain')
    await replace('The ninth room', 'Ninth')
    await expectAccessible(page)
    const saving = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Save the chapters' }).click()
    const sounds = (await saving).postDataJSON().chapters.map(({ sound }: { sound: string }) => sound)
    expect(new Set(sounds).size).toBe(3)
    await expect(page.getByText('Changed chapters of Nine Rooms of Rain.')).toBeVisible()
    await expect(page.getByText('The list of chapters was changed here. The folder says 3')).toBeVisible()
    const seen = await page.request.get(`${shop.url}/api/audio_books/nine-rooms-of-rain`)
    expect((await seen.json()).chapters.map((each: { chapterTitle: string }) => each.chapterTitle)).toEqual([
      'The room upstairs',
      'The first room',
      'The ninth room',
    ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(names.first()).toHaveValue('The first room')
  })
})
