import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { AtThePlayer, playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test, type Shop } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/shop-says.ts'
import { tokensOf } from '#tests/support/stored-session.ts'
import { download } from '#tests/support/title-actions.ts'

const LEDGER = 'the-lamplighters-ledger'
const PAGE = `/audiobooks/${LEDGER}`
/** Sent within a few seconds, and looked at often. */
const SOON = { timeout: 20_000, intervals: [200] }

/** At 12% on the laptop, then, without a network, at about 90% on the phone. */
async function hearOnBoth(shop: Shop, device: Device, email: string) {
  const phone = await device({ worker: true, viewport: PHONE, of: email })
  const onPhone = await openPage(phone, PAGE)
  await download(onPhone, 'The Lamplighter’s Ledger')
  await phone.setOffline(true)

  const onLaptop = await openPage(await device({ viewport: DESKTOP, of: email }), PAGE)
  const laptop = await playFromBookPage(onLaptop)
  await hearAt(laptop, 'The tide table', 0.5)
  const shopSays = await ShopSays.to(email, shop.url)
  await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(1)

  const player = await playFromBookPage(onPhone)
  await hearAt(player, 'Lighting-up time', 0.5)
  return { phone, onPhone, player, shopSays, onLaptop }
}

type Device = (wish: {
  worker?: boolean
  viewport: { width: number; height: number }
  of: string
}) => Promise<BrowserContext>

async function hearAt(player: AtThePlayer, chapter: string, share: number) {
  await player.chooseChapter(chapter)
  await player.seek(share)
  await player.expectSound()
  await player.press('Pause')
  await player.expectSilence()
}

const question = (page: Page) => page.getByRole('region', { name: 'You’ve listened in two places' })

test('trap 1: PLAY-27: what was heard offline never loses to what arrived first; the listener is asked and both places stay', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const email = shop.someone('reader')
  const { phone, onPhone, player, shopSays } = await hearOnBoth(shop, device, email)
  const heard = await player.seconds()
  const sent: string[] = []
  onPhone.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/user_audio_book_times'))
      sent.push(request.postData() ?? '')
  })

  await phone.setOffline(false)
  await expect(question(onPhone).getByRole('heading', { name: 'You’ve listened in two places' })).toBeVisible(
    {
      timeout: 30_000,
    },
  )
  await expect(question(onPhone)).toContainText('Lighting-up time')
  await expect(question(onPhone)).toContainText('The tide table')
  await expectAccessibleInBoth(onPhone)
  // Nothing lies over what starts the sound.
  await player.screen.getByRole('button', { name: 'Play', exact: true }).click({ trial: true })
  await test.step('five seconds of the other place, without leaving this one', async () => {
    const before = sent.length
    await question(onPhone)
      .getByRole('button', { name: /^Hear 5 s from (?!this device)/ })
      .click()
    await question(onPhone).getByRole('button', { name: 'Stop' }).click()
    await expect(question(onPhone).getByRole('button', { name: /^Hear 5 s from/ })).toHaveCount(2)
    await player.expectChapter('Lighting-up time')
    expect(await player.seconds()).toBe(heard)
    expect(sent.slice(before)).toEqual([])
  })
  await question(onPhone).getByRole('button', { name: 'Stay here' }).click()
  await expect(question(onPhone)).toBeHidden()
  await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(4)
  expect(Math.abs((await shopSays.place(LEDGER))!.seconds - heard)).toBeLessThanOrEqual(2)

  await test.step('the same letters, sent once more, change nothing', async () => {
    const before = [await shopSays.place(LEDGER), await shopSays.history(LEDGER)]
    expect(sent.length).toBeGreaterThan(0)
    const { token } = await tokensOf(shop.url, email)
    for (const body of [...sent, ...sent.toReversed()]) {
      const response = await fetch(`${shop.url}/api/user_audio_book_times`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', xtoken: `Bearer ${token}` },
        body,
      })
      expect(response.ok).toBe(true)
    }
    expect([await shopSays.place(LEDGER), await shopSays.history(LEDGER)]).toEqual(before)
  })

  await test.step('the place that was not taken is in the history, one press away', async () => {
    await player.press('Minimise player')
    await onPhone.getByRole('main').getByRole('button', { name: 'Earlier places' }).click()
    const back = onPhone.getByRole('button', { name: /^Go back to The tide table at 3\d seconds/ })
    await expect(back.first()).toBeVisible()
    await back.first().click()
    await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(1)
  })
})

test('PLAY-27: the other device’s place can be taken just as well, and the book goes on from there', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const { phone, onPhone, player, shopSays } = await hearOnBoth(shop, device, shop.someone('reader'))
  await phone.setOffline(false)
  await question(onPhone).getByRole('button', { name: 'Go there' }).click({ timeout: 30_000 })
  await player.expectChapter('The tide table')
  expect(Math.abs((await player.seconds()) - 34)).toBeLessThanOrEqual(6)
  await player.press('Play')
  await player.expectSound()
  await player.press('Pause')
  await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(1)
  const history = await shopSays.history(LEDGER)
  expect(history.some(({ chapter }) => chapter === 4)).toBe(true)
})

test('trap 2: a clock an hour slow or seventy years fast neither loses a place nor makes one last for ever', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const email = shop.someone('reader')
  const shopSays = await ShopSays.to(email, shop.url)
  const standing = async () => (await shopSays.place(LEDGER))?.chapter
  const onLaptop = await openPage(await device({ viewport: DESKTOP, of: email }), PAGE)
  const laptop = await playFromBookPage(onLaptop)
  await hearAt(laptop, 'Oranges', 0.5)
  await expect.poll(standing, SOON).toBe(3)

  const HOUR = 3_600_000
  const phoneWithClock = async (offset: number) => {
    const phone = await device({ viewport: PHONE, of: email })
    await phone.clock.install({ time: Date.now() + offset })
    return playFromBookPage(await openPage(phone, PAGE))
  }

  await test.step('an hour slow: heard after the laptop, back to chapter 1 on purpose, and it stands', async () => {
    const slow = await phoneWithClock(-HOUR)
    await slow.expectChapter('Oranges')
    await hearAt(slow, 'The tide table', 0.2)
    await expect.poll(standing, SOON).toBe(1)
  })

  await test.step('seventy years fast: it stands, stamped with the time of the shop', async () => {
    const fast = await phoneWithClock(70 * 365 * 24 * HOUR)
    await fast.expectChapter('The tide table')
    await hearAt(fast, 'Lighting-up time', 0.2)
    await expect.poll(standing, SOON).toBe(4)
    expect(Date.parse((await shopSays.place(LEDGER))!.heardAt)).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  await test.step('and what is heard afterwards, with the right time, stands over it', async () => {
    await hearAt(laptop, 'Lamp forty-one', 0.2)
    await expect.poll(standing, SOON).toBe(2)
  })
})

test('an open player follows the other device, and undo goes back; of two that play, the one started last has the sound', async ({
  shop,
  device,
}) => {
  test.setTimeout(150_000)
  const email = shop.someone('reader')
  const at = async () =>
    new AtThePlayer(await openPage(await device({ viewport: PHONE, of: email }), `/player/${LEDGER}`))
  const [here, there] = [await at(), await at()]
  const shopSays = await ShopSays.to(email, shop.url)
  await here.expectChapter('Lamp forty-one')
  await there.expectChapter('Lamp forty-one')

  await test.step('heard elsewhere, it stands there; undone, it is back, and that is what holds', async () => {
    await there.press('Play')
    await there.expectSound()
    await hearAt(there, 'Oranges', 0.5)
    await expect(here.page.getByText(/^Moved to Oranges, 0:\d\d, heard on /)).toBeVisible()
    await here.expectChapter('Oranges')
    await here.page.getByRole('button', { name: 'Undo' }).click()
    await here.expectChapter('Lamp forty-one')
    await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(2)
    // The other one is open and paused too: it follows the choice.
    await there.expectChapter('Lamp forty-one')
  })

  await test.step('the second start takes the sound; the first says where it went, and can have it back', async () => {
    await there.press('Play')
    await there.expectSound()
    await here.press('Play')
    await here.expectSound()
    await there.expectSilence()
    await expect(there.screen.getByRole('heading', { name: /^Playing on / })).toBeVisible()
    await there.press('Play here instead')
    await there.expectSound()
    await here.expectSilence()
    await expect(there.screen.getByRole('heading', { name: /^Playing on / })).toBeHidden()
  })
})
