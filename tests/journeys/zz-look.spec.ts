// Walks through: session
import type { Page } from '@playwright/test'
import { playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, test } from '#tests/support/journey.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]
async function look(page: Page, name: string) {
  for (const viewport of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `/tmp/owner-look/${name}-${viewport.width}-${colorScheme}.png` })
    }
  await page.setViewportSize(SIZES[0]!)
}
const endSession = (page: Page) =>
  page.evaluate(() => ['token', 'refresh_token', 'tokenRefreshedDate'].forEach((key) => localStorage.removeItem(key)))

test('the log-in that remembers', async ({ shop, device }) => {
  const email = shop.someone('reader')
  const context = await device({ of: email, viewport: SIZES[0]! })
  const page = await openPage(context, '/library')
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'The Lamplighter’s Ledger' }).first().click()
  const player = await playFromBookPage(page)
  await player.expectSound()
  await player.press('Pause')
  await endSession(page)
  await page.reload()
  await expect(page.getByText('Log in to save your place')).toBeVisible()
  await look(page, 'player')
  await page.getByText('Log in to save your place').click()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await look(page, 'login')
  await page.goto('/faq')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  const form = page.getByRole('dialog', { name: 'Log in' })
  await expect(form.getByLabel('Email', { exact: true })).toHaveValue(email)
  await expect(form.getByLabel('Password', { exact: true })).toBeFocused()
  await look(page, 'pop-up')
})

test('the till', async ({ device }) => {
  const page = await openPage(await device({ viewport: SIZES[0]! }), '/payment?plan=1')
  await page.getByRole('link', { name: /terms/ }).last().scrollIntoViewIfNeeded()
  await look(page, 'till')
})

test('the desk', async ({ shop, device }) => {
  const page = await openPage(await device({ of: 'corner@murmur.example', viewport: SIZES[0]! }), '/activation')
  void shop
  const code = page.getByLabel('Activation code')
  await code.fill('DEMO-0001')
  await look(page, 'desk')
})
