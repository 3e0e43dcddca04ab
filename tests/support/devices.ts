import type { Browser, BrowserContext, Page } from '@playwright/test'
import { logIn } from './journey.ts'

/** A device of its own: separate storage, separate worker, its own clock of the network. */
export async function newDevice(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
): Promise<BrowserContext> {
  return browser.newContext({ baseURL: url, viewport })
}

/** Logged in, with the worker in charge of the page: from here on it works offline. */
export async function openAs(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage()
  await logIn(page, email)
  await workerInCharge(page)
  return page
}

/** A page of somebody whose session the device holds already; the worker is in charge of it. */
export async function openPage(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await workerInCharge(page)
  return page
}

/** The worker controls a page from its second load on, or as soon as it claims it. */
export async function workerInCharge(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}
