import type { BrowserContext, Page } from '@playwright/test'
import { logIn } from './journey.ts'
import { hasWorker, workerInCharge } from './service-worker.ts'

/**
 * Logs in. On a device with a service worker it waits until the worker controls the page, which then works offline.
 */
export async function openAs(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage()
  await logIn(page, email)
  if (hasWorker(context)) await workerInCharge(page)
  return page
}

/** Opens a page with a stored session. Waits for the service worker, if the device has one, to control the page. */
export async function openPage(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  if (hasWorker(context)) await workerInCharge(page)
  return page
}
