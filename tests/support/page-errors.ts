import { expect, type BrowserContext, type Page } from '@playwright/test'

/**
 * Everything a browser reports in the pages of one device: console errors and warnings, including React's hydration
 * errors, uncaught exceptions, and violations of the content security policy.
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
    // Playwright itself logs this on a device without the service worker.
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    // The browser logs every 403 and 404, and these are the right responses for what is missing.
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

/** Waits until React has hydrated the page as far as `target`, so that it responds to presses. */
export async function takenOver(page: Page, target = page.locator('main h1')): Promise<void> {
  const isOurs = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))
  await expect.poll(() => target.evaluate(isOurs)).toBe(true)
}
