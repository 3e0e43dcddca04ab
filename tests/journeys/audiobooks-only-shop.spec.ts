// Covers: shop-details, catalogue, checkout, player
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { SHOP_PARTS } from '#contract/shop-details.ts'
import { expectAccessibleScreen } from '#tests/support/accessible.ts'
import {
  fillInBuyer,
  main,
  expectCheckout,
  payByCard,
  putIntoBag,
  thanked,
} from '#tests/support/checkout-page.ts'
import { playFromBookPage } from '#tests/support/player-page.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { expect, PHONE, Shop, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'

/** Words that only a shop with more than audiobooks uses. */
const MORE = /\bmember|\btrial\b|christmas|booksellers|journal|gazette|\beditions\b|e-?book|paypal/i

/** The owner's own texts on the home page don't count. */
const OWNERS = JSON.stringify(demoFile('home.json'))
const linesOf = async (page: Page) =>
  (await page.locator('body').innerText())
    .split('\n')
    .filter((line) => MORE.test(line) && !OWNERS.includes(line))

test('a visitor browses, buys and listens in a shop that sells audiobooks only, which mentions nothing else', async ({
  browser,
}) => {
  const off = SHOP_PARTS.filter((part) => part !== 'audiobooks').map((part) => [part, false])
  const file = { name: 'The Quay', journal: 'The Gazette', parts: Object.fromEntries(off) }
  const shop = await Shop.open({}, async (dataDir) =>
    writeFileSync(join(dataDir, 'shop.json'), JSON.stringify(file)),
  )
  const context = await browser.newContext({ baseURL: shop.url, viewport: PHONE, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await page.goto('/')
    const sections = page.getByRole('navigation', { name: 'Sections' })
    expect(await sections.getByRole('link').allInnerTexts()).toEqual(['Home', 'Browse', 'Library', 'You'])
    for (const path of ['/', '/browse', '/audiobooks', '/audiobooks/the-lamplighters-ledger']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await linesOf(page), path).toEqual([])
    }
    for (const path of ['/subscription', '/free-trial', '/articles', '/editions', '/ebooks', '/reseller']) {
      expect((await page.goto(path))?.status(), path).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    }
    await page.goto('/')
    await expectAccessibleScreen(page)

    await putIntoBag(page, '/audiobooks/the-lamplighters-ledger')
    await page.goto('/payment')
    await expectCheckout(page)
    await expect(page.getByRole('radio')).toHaveCount(0)
    await expectAccessibleScreen(page)
    await fillInBuyer(page, aNewAddress('quay'))
    await payByCard(page)
    await thanked(page)
    expect(await linesOf(page)).toEqual([])
    await main(page)
      .getByRole('link', { name: /library/i })
      .click()
    await main(page).getByRole('link', { name: 'The Lamplighter’s Ledger' }).first().click()
    await page.setViewportSize(PHONE)
    await (await playFromBookPage(page)).expectSound()
  } finally {
    await context.close()
    await shop.close()
  }
})
