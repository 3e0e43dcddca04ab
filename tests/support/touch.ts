import type { Locator, Page } from '@playwright/test'

type TouchPoint = Readonly<Record<'x' | 'y' | 'radiusX' | 'radiusY', number>>

/**
 * Taps as a finger does. Playwright waits for the page between touch down and up: on a busy machine that takes so long
 * that the tap becomes a long press, which activates nothing.
 */
export async function fingerOn(page: Page) {
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: TouchPoint[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  /** With a large radius the browser moves the tap to the nearest control within it. */
  const tapAt = async (x: number, y: number, radius = 1): Promise<void> => {
    const point = { x, y, radiusX: radius, radiusY: radius }
    await Promise.all([touch('touchStart', [point]), touch('touchEnd', [])])
  }
  return {
    tapAt,
    async tap(target: Locator): Promise<void> {
      // Waits until the target is still and nothing covers it.
      await target.tap({ trial: true })
      const { x, y, width, height } = (await target.boundingBox())!
      await tapAt(x + width / 2, y + height / 2)
    },
  }
}
