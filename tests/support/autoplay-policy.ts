import type { BrowserContext } from '@playwright/test'

/**
 * Pages of this device sound after a press, as for a person. The browser has that rule itself, but takes every question
 * of the runner to a page (`evaluate`, any locator) for a press, so the page keeps it once more: a press counts if it
 * came from mouse, finger or keys, in this page or in the page of the shop that opened it.
 */
export async function soundNeedsAPress(device: BrowserContext): Promise<void> {
  await device.addInitScript(() => {
    let pressed = false
    // Asked when it matters: a window that was just opened runs this before it has an address.
    const isOpenedByAPress = () => document.referrer.startsWith(`${location.origin}/`)
    for (const kind of ['mousedown', 'touchend', 'keydown'])
      addEventListener(kind, ({ isTrusted }) => void (pressed ||= isTrusted), true)
    // oxlint-disable-next-line typescript/unbound-method -- called below with its element
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function afterAPress() {
      if (pressed || isOpenedByAPress()) return play.call(this)
      return Promise.reject(new DOMException('Nobody has pressed this page', 'NotAllowedError'))
    }
  })
}
