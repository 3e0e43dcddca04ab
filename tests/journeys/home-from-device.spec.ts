// Covers: app, home, library, sw
import type { BrowserContext, Page } from '@playwright/test'
import { openPage } from '#tests/support/devices.ts'
import { expect, logIn, PHONE, test } from '#tests/support/journey.ts'

const LEDGER = 'The Lamplighter’s Ledger'

/** Opens the home page without running the app's code. */
async function openHeld(phone: BrowserContext): Promise<Page> {
  const page = await phone.newPage()
  await page.addInitScript(() => {
    const hold = () => {
      for (const script of document.querySelectorAll('script[type=module]'))
        script.setAttribute('type', 'held')
    }
    new MutationObserver(hold).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  return page
}

/** Runs the code that was held: changing a script's type back would not. */
const release = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const { src } of document.querySelectorAll<HTMLScriptElement>('script[type=held]')) await import(src)
  })

test('HOME-18: the title in progress is on the screen before the app’s code has run, and a press on Play is kept', async ({
  shop,
  device,
}) => {
  const phone = await device({ worker: true, viewport: PHONE, of: shop.someone('reader') })
  const first = await openPage(phone, '/')
  await expect(first.getByRole('main').getByRole('heading', { level: 1, name: LEDGER })).toBeVisible()
  await first.waitForFunction(() => localStorage.getItem('homeSnapshot') !== null)

  const page = await openHeld(phone)
  const title = page.getByRole('heading', { level: 1, name: LEDGER })
  await expect(title).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(0)
  await test.step('it stays until the app has rendered it', async () => {
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (!document.querySelector('h1')) document.body.dataset['wasBlank'] = ''
      }).observe(document.body, { childList: true, subtree: true })
    })
    await release(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: LEDGER })).toBeVisible()
    expect(await page.evaluate(() => document.body.dataset['wasBlank'])).toBeUndefined()
    await page.close()
  })

  const other = await openHeld(phone)
  await other.getByRole('button', { name: /^Play/ }).click()
  await release(other)
  await expect(other.getByRole('main').getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(other).toHaveURL('/player/the-lamplighters-ledger')
  await test.step('after a log-out neither a visitor nor the next person on the device sees it', async () => {
    const page = await openPage(phone, '/you')
    await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible()
    await page.waitForFunction(
      () => !localStorage.getItem('started') && !localStorage.getItem('homeSnapshot'),
    )

    const showsNoTitle = async () => {
      const held = await openHeld(phone)
      await expect(held.getByRole('link', { name: 'Search' })).toBeVisible()
      await expect(held.getByRole('heading', { level: 1, name: LEDGER })).toHaveCount(0)
      await held.close()
    }
    await phone.setOffline(true)
    await showsNoTitle()
    await phone.setOffline(false)
    await logIn(page, shop.someone('nell'))
    await phone.setOffline(true)
    await showsNoTitle()
  })
})
