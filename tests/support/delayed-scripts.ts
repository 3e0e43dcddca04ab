import type { Page } from '@playwright/test'

/** Delays the page's scripts, as on a slow phone, until the returned function is called. */
export async function holdCode(page: Page): Promise<() => void> {
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return arrive
}
