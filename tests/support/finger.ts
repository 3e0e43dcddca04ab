import type { Locator, Page } from '@playwright/test'

/**
 * Taps as a finger does. Playwright waits for the page between down and up: on a busy machine its finger rests so long that
 * it is a long press, which presses nothing.
 */
export async function fingerOn(page: Page) {
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  const tapAt = async (x: number, y: number): Promise<void> => {
    await Promise.all([touch('touchStart', [{ x, y }]), touch('touchEnd', [])])
  }
  return {
    tapAt,
    async tap(target: Locator): Promise<void> {
      // Until it stands still, and nothing lies over it.
      await target.tap({ trial: true })
      const { x, y, width, height } = (await target.boundingBox())!
      await tapAt(x + width / 2, y + height / 2)
    },
  }
}
