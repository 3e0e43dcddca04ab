import type { Page } from '@playwright/test'

/** What the page was about to draw is drawn, and what watches its drawing has been told. */
export const drawn = (page: Page, frames = 3): Promise<void> =>
  page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
  }, frames)
