import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import { nextRelease } from '#tests/support/next-release.ts'

/** Loads of the whole page, from now on. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads++
  })
  return () => loads
}

const toLogIn = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
const entryOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module][src]')!.src)

test('trap 16: a tab left open over a deploy recovers with one load when it needs a part that is gone', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
  const page = await (await device({ worker: false })).newPage()
  await page.goto('/')
  const before = await entryOf(page)
  const release = nextRelease()
  await shop.stop()
  await shop.start(release)
  try {
    const loads = countLoads(page)
    await toLogIn(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    expect(loads()).toBe(1)
    expect(await entryOf(page)).not.toBe(before)
  } finally {
    await shop.stop()
    await shop.start()
    rmSync(release, { recursive: true, force: true })
  }
})
