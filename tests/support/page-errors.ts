import { expect, type BrowserContext, type Page } from '@playwright/test'

/**
 * Everything a browser complains of in the pages of one device: errors and warnings of the console, among them
 * what React says of a page it could not take over, uncaught errors, and what the content security policy refused.
 */
export async function hearComplaints(device: BrowserContext): Promise<string[]> {
  const heard: string[] = []
  await device.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} refused ${blockedURI}`),
    )
  })
  device.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // Said by the test's own browser of a device without the worker.
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    // The browser says so of every answer of 403 or 404, and for what is not there these are the right ones.
    const asked = lastPart(message.page()?.url())
    const isTheAnswer =
      /^Failed to load resource.*40[34]/.test(message.text()) &&
      asked !== '' &&
      message.location().url.includes(asked)
    if (!isTheAnswer) heard.push(`${message.page()?.url()}: ${message.text()}`)
  })
  device.on('weberror', (error) => heard.push(`${error.page()?.url()}: ${error.error().message}`))
  return heard
}

const lastPart = (url = '') =>
  url
    .replace(/[?#].*/, '')
    .split('/')
    .at(-1) ?? ''

/** The server's page has been taken over, as far as `target`: it answers to the app, not to the browser alone. */
export async function takenOver(page: Page, target = page.locator('main h1')): Promise<void> {
  const isOurs = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))
  await expect.poll(() => target.evaluate(isOurs)).toBe(true)
}
