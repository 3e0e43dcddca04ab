import type { BrowserContext, Page } from '@playwright/test'
import { logIn } from './journey.ts'
import { hasWorker, workerInCharge } from './service-worker.ts'

/** Logged in; on a device with a worker it is in charge of the page, which from here on works offline. */
export async function openAs(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage()
  await logIn(page, email)
  if (hasWorker(context)) await workerInCharge(page)
  return page
}

/** A page of somebody whose session the device holds already; the worker, where there is one, is in charge of it. */
export async function openPage(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  if (hasWorker(context)) await workerInCharge(page)
  return page
}
