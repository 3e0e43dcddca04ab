// Covers: feed, library, net
import type { Page } from '@playwright/test'
import { FEED_PATH } from '#contract/limits.ts'
import { expect, test } from '#tests/support/journey.ts'

test('six library tabs share one live stream, so a seventh page opens over HTTP/1.1', async ({
  shop,
  device,
}) => {
  const browser = await device({ of: shop.someone('reader') })
  let opened = 0
  browser.on('response', (answer) => {
    if (answer.url().includes(FEED_PATH)) opened += 1
  })
  const tabs: Page[] = []
  for (let tab = 0; tab < 6; tab++) {
    const page = await browser.newPage()
    await page.goto('/library')
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
    if (tab === 0) await expect.poll(() => opened).toBe(1)
    tabs.push(page)
  }

  const seventh = await browser.newPage()
  await seventh.goto('/browse')
  await expect(seventh.getByRole('heading', { level: 1 })).toBeVisible()
  expect(opened).toBe(1)

  await test.step('when the tab with the stream is closed, another one takes over', async () => {
    await tabs[0]!.close()
    await expect.poll(() => opened).toBe(2)
  })
})
