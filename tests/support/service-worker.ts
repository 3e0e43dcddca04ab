import type { BrowserContext, Page } from '@playwright/test'

const withWorker = new WeakSet<BrowserContext>()

/** Pages of these contexts count as open only once the service worker controls them. */
export const expectWorker = (context: BrowserContext): void => void withWorker.add(context)

export const hasWorker = (context: BrowserContext): boolean => withWorker.has(context)

/** The service worker controls a page from its second load on, or as soon as it claims it. */
export async function workerInCharge(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}
