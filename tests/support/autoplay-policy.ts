import type { BrowserContext } from '@playwright/test'

/**
 * Pages of this device may play sound only after a press, as for a real user. The browser has that rule too, but it
 * counts every call of the runner into a page (`evaluate`, any locator) as a press. So the page applies the rule itself:
 * a press counts if it came from mouse, touch or keyboard, in this page or in the page of the shop that opened it.
 */
export async function soundNeedsAPress(device: BrowserContext): Promise<void> {
  await device.addInitScript(() => {
    let pressed = false
    // Read it when needed: a window that was just opened runs this script before it has an address.
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
