import type { Page } from '@playwright/test'

/** As on a slow phone: the page stands, its code is not there yet. Comes when the answer is called. */
export async function holdCode(page: Page): Promise<() => void> {
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return arrive
}
