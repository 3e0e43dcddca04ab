// Covers: player
import type { ConsoleMessage } from '@playwright/test'
import { playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

/** Half a second of silence: the browser refuses the call of `play`, also for silence. */
const SILENCE = `data:audio/wav;base64,${Buffer.concat([
  Buffer.from('RIFF\xc4\x0f\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00', 'latin1'),
  Buffer.from('\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\xa0\x0f\x00\x00', 'latin1'),
  Buffer.alloc(4_000, 128),
]).toString('base64')}`

test('the browser’s autoplay policy is on: a page without a user gesture can’t play', async ({
  browser,
  shop,
}) => {
  // Not `device()`, which applies the rule again. Don't query the page, because that would count as a press.
  const context = await browser.newContext({ baseURL: shop.url })
  await context.addInitScript((sound) => {
    new Audio(sound).play().then(
      () => console.info('It sounds'),
      ({ name }: Error) => console.info(name),
    )
  }, SILENCE)
  const page = await context.newPage()
  const said = page.waitForEvent('console', saidBy('It sounds', 'NotAllowedError'))
  await page.goto('/robots.txt')
  expect((await said).text()).toBe('NotAllowedError')
  await context.close()
})

test('a press on Play in one page is enough for the player’s own window', async ({ device }) => {
  const desktop = await device({ of: 'shelf@murmur.example' })
  await desktop.addInitScript(() => {
    // oxlint-disable-next-line typescript/unbound-method -- called below with its element
    const play = HTMLMediaElement.prototype.play
    HTMLMediaElement.prototype.play = function told() {
      const asked = play.call(this)
      asked.then(
        () => console.info('It sounds'),
        ({ name }: Error) => console.info(name),
      )
      return asked
    }
  })
  const page = await openPage(desktop, '/audiobooks/tin-whistle-winter')
  // Listen before querying the window, because that would count as a press.
  const said = desktop.waitForEvent('console', saidBy('It sounds', 'NotAllowedError'))
  const own = await playFromBookPage(page)
  expect((await said).text()).toBe('It sounds')
  await own.expectSound()
})

test('trap 37: one press on Play is enough on an iPhone, where an element must be loaded or played during a gesture', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  await phone.addInitScript(() => {
    let inPress = false
    for (const kind of ['click', 'touchend', 'keydown']) {
      addEventListener(kind, ({ isTrusted }) => void (inPress = isTrusted), true)
      addEventListener(kind, () => void (inPress = false))
    }
    const free = new WeakSet<HTMLMediaElement>()
    // oxlint-disable-next-line typescript/unbound-method -- called below with their element
    const { load, play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.load = function inAPress() {
      if (inPress) free.add(this)
      load.call(this)
    }
    HTMLMediaElement.prototype.play = function inAPress() {
      if (inPress) free.add(this)
      return free.has(this) ? play.call(this) : Promise.reject(new DOMException('', 'NotAllowedError'))
    }
  })
  const page = await openPage(phone, '/audiobooks/tin-whistle-winter')
  const player = await playFromBookPage(page)
  await player.expectSound()
  await player.press('Pause')
})

const saidBy =
  (...texts: string[]) =>
  (message: ConsoleMessage) =>
    texts.includes(message.text())
