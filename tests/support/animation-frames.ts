import type { Page } from '@playwright/test'

/** Waits until the page has drawn pending changes and its observers have been called. */
export const drawn = (page: Page, frames = 3): Promise<void> =>
  page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  }, frames)
