// Covers: office, catalogue, orders, refunds, backup
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epub, mp3 } from '#importer/fixtures/owners-folder.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { payByCard, putIntoBag, shelfOf, thanked } from '#tests/support/checkout-page.ts'
import { DESKTOP, expect, Shop, test } from '#tests/support/journey.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'
import { joinOffice, linkToOffice, takeAnotherReader, withFingerprint } from '#tests/support/office.ts'
import { storedSession } from '#tests/support/stored-session.ts'

const file = (name: string, content: Uint8Array, mimeType = 'audio/mpeg') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
})

test('OFFICE-09 OFFICE-30 OFFICE-32: an owner’s first day in an empty shop: a passkey, three titles, prices, the home page, a test purchase refunded, and five steps that tick themselves', async ({
  browser,
}) => {
  const backups = mkdtempSync(join(tmpdir(), 'murmur-backups-'))
  const settings = {
    SMTP_URL: 'smtp://127.0.0.1:9',
    BACKUP_TO: backups,
    BACKUP_PASSPHRASE: 'a long passphrase',
  }
  const shop = await Shop.open(settings, undefined, true)
  const context = await browser.newContext({ viewport: DESKTOP, serviceWorkers: 'block' })
  try {
    const page = await withFingerprint(context)
    await joinOffice(
      page,
      await linkToOffice(shop, 'hana@shop.example', 'owner'),
      'Hana Brodie',
      async () => {
        await takeAnotherReader(page)
        await page.getByRole('button', { name: 'Add a second passkey' }).click()
        await expect(page.getByText('You have two passkeys now.')).toBeVisible()
      },
    )
    const steps = page.getByRole('region', { name: 'Settling in' })
    const done = async (count: number) => {
      await page.getByRole('link', { name: 'Today' }).first().click()
      await expect(steps).toContainText(`${count} of 5`)
    }
    // The machine's operator has set up email and payments.
    await expect(page.getByRole('heading', { level: 1, name: /^Welcome, Hana/ })).toBeVisible()
    await expect(steps).toContainText('2 of 5')
    await expectAccessible(page)

    await test.step('the shop gets its name', async () => {
      await steps.getByRole('link', { name: 'Name the shop' }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('The Quay')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Changed name in the settings.')).toBeVisible()
      // The pages that the law asks for are a part of the same step.
      await done(2)
    })

    await test.step('three titles are dropped, a guess is confirmed, and they get prices', async () => {
      await steps.getByRole('link', { name: 'Open the titles' }).click()
      await page.getByRole('link', { name: 'Bring in books' }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'Bring in books' })).toBeVisible()
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([
          file('Kelp Song.mp3', mp3({ album: 'Kelp Song', artist: 'Ida Frost' })),
          file('Neap.mp3', mp3({})),
          file('Spring Tide.epub', await epub({ title: 'Spring Tide' }), 'application/epub+zip'),
        ])
      await expect(page.getByText('3 of 3 files here')).toBeVisible()
      await expect(page.getByText('3 found, 0 refused')).toBeVisible()
      await expectAccessible(page)
      const guess = page.getByRole('checkbox', { name: /Yes, that’s right: Neap/ })
      await expect(guess).not.toBeChecked()
      await page.reload()
      await expect(page.getByText('3 found, 0 refused')).toBeVisible()
      await guess.check()
      await page.getByRole('button', { name: 'Bring in 3 titles' }).click()
      await expect(page.getByRole('heading', { name: 'Brought in' })).toBeVisible()
      await page.getByRole('link', { name: 'Give prices to those without one' }).click()
      for (const [title, price] of [
        ['Kelp Song', '7.50'],
        ['Neap', '6'],
        ['Spring Tide', '0'],
      ] as const) {
        await page.getByRole('button', { name: `Change the price of ${title}: none` }).click()
        await page.getByRole('textbox', { name: `Price of ${title}` }).fill(price)
        await page.keyboard.press('Enter')
        await expect(page.getByRole('link', { name: title })).toHaveCount(0)
      }
      await done(3)
    })

    await test.step('the pages that the law asks for begin with a draft, and their gaps are filled', async () => {
      await steps.getByRole('link', { name: 'Open the drafts' }).click()
      await expectAccessible(page)
      for (const title of ['Terms and conditions', 'Privacy and cookies', 'Who runs this shop']) {
        await page.getByRole('button', { name: title }).click()
        const text = page.getByRole('textbox', { name: 'Text' })
        await expect(page.getByRole('button', { name: /^Publish: \d+ missing$/ })).toBeVisible()
        await text.fill((await text.inputValue()).replaceAll(/\[\[[^\]]+\]\]/g, 'The Quay'))
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await expect(page.getByRole('link', { name: 'In the shop' })).toBeVisible()
        await page.getByRole('link', { name: 'Pages' }).first().click()
        await expect(page.getByRole('link', { name: title })).toBeVisible()
      }
      await done(3)
      await steps.getByRole('link', { name: 'Name the seller' }).click()
      await page.getByLabel('VAT number', { exact: true }).fill('GB 123 4567 89')
      await page.getByLabel('Postal address').fill('1 The Quay\nWhitby\nUnited Kingdom')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Changed seller in the settings.')).toBeVisible()
      await done(4)
    })

    await test.step('a backup is made', async () => {
      await steps.getByRole('link', { name: 'See backups' }).click()
      await page.getByRole('button', { name: 'Back up now' }).click()
      await expect(page.getByRole('columnheader', { name: 'Made' })).toBeVisible()
    })

    await test.step('all is done, and the steps leave', async () => {
      await page.getByRole('link', { name: 'Today' }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
      await expect(page.getByRole('heading', { name: /needs? you/ })).toBeVisible()
      await expect(steps).toHaveCount(0)
    })

    await test.step('the home page gets a panel of the new titles, and the one before again', async () => {
      await page.getByRole('link', { name: 'Home page' }).click()
      await page.getByRole('link', { name: 'Current highlights' }).click()
      const drawer = page.getByRole('dialog', { name: 'Current highlights' })
      await drawer.getByRole('button', { name: 'Choose and order them here' }).click()
      await drawer.getByRole('searchbox', { name: 'Add a title' }).fill('kelp')
      await drawer.getByRole('button', { name: /^Kelp Song/ }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Publish one change' }).click()
      await expect(page.getByText('Published.')).toBeVisible()
      expect(await (await page.request.get(`${shop.url}/api/homepage_panels`)).text()).toContain('Kelp Song')
    })

    await test.step('a test purchase is found by its buyer, refunded, and leaves their library', async () => {
      const email = await aNewcomer(shop.url)
      const theirs = await browser.newContext({
        baseURL: shop.url,
        viewport: DESKTOP,
        serviceWorkers: 'block',
        storageState: await storedSession(shop.url, email),
      })
      const buyer = await theirs.newPage()
      await putIntoBag(buyer, '/audiobooks/kelp-song')
      await buyer.goto('/payment')
      await payByCard(buyer)
      await thanked(buyer)
      expect(await shelfOf(buyer)).toEqual(['audiobooks/kelp-song'])

      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search the office' }).fill(email)
      await page.getByRole('option', { name: /^M-/ }).click()
      await page.getByRole('link', { name: 'Refund' }).click()
      const drawer = page.getByRole('dialog', { name: 'Refund' })
      await drawer.getByLabel(/^Why/).fill('A test')
      await expect(drawer.getByText(`What ${email} will read`)).toBeVisible()
      await drawer.getByRole('button', { name: 'Refund £7.50' }).click()
      await expect(drawer).toHaveCount(0)
      await expect(page.getByText('“A test”')).toBeVisible()
      await expect.poll(() => shelfOf(buyer)).toEqual([])
      await theirs.close()
    })
  } finally {
    await context.close()
    await shop.close()
    rmSync(backups, { recursive: true, force: true })
  }
})
