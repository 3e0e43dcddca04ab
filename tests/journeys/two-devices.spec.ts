// Covers: listening, feed, storage, sync, player
import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { AtThePlayer, playFromBookPage } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test, type Shop } from '#tests/support/journey.ts'
import { ShopSays } from '#tests/support/scripted-shop.ts'
import { download } from '#tests/support/title-actions.ts'

const LEDGER = 'the-lamplighters-ledger'
const PAGE = `/audiobooks/${LEDGER}`
/** Sent within a few seconds; poll often. */
const SOON = { timeout: 60_000, intervals: [200] }

/** Listens to 12% on the laptop, then offline to about 90% on the phone. */
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
  return { phone, onPhone, player, shopSays }
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

/** The position where the next playback starts. */
const firstHeard = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const audio = document.querySelector('audio')!
        audio.addEventListener('timeupdate', () => {
          if (!audio.paused && !audio.seeking) resolve(audio.currentTime)
        })
      }),
  )

const question = (page: Page) => page.getByRole('region', { name: 'You’ve listened in two places' })

test('PLAY-27 trap 1: an offline place never loses to one that arrived first; the listener is asked, and both places stay', async ({
  shop,
  device,
}) => {
  const email = shop.someone('reader')
  const { phone, onPhone, player, shopSays } = await hearOnBoth(shop, device, email)
  const heard = await player.seconds()
  await phone.setOffline(false)
  await expect(
    question(onPhone).getByRole('heading', { name: 'You’ve listened in two places' }),
  ).toBeVisible()
  await expect(question(onPhone)).toContainText('Lighting-up time')
  await expect(question(onPhone)).toContainText('The tide table')
  await expectAccessible(onPhone)
  // The question must not cover the Play button.
  await player.screen.getByRole('button', { name: 'Play', exact: true }).click({ trial: true })
  await question(onPhone).getByRole('button', { name: 'Stay here' }).click()
  await expect(question(onPhone)).toBeHidden()
  await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(4)
  expect(Math.abs((await shopSays.place(LEDGER))!.seconds - heard)).toBeLessThanOrEqual(2)

  await test.step('the place that was not chosen is in the history, one press away', async () => {
    await player.press('Minimise player')
    await onPhone
      .getByRole('main')
      .getByRole('button', { name: /^More for/ })
      .click()
    await onPhone.getByRole('menuitem', { name: 'Listening history' }).click()
    const back = onPhone.getByRole('button', { name: /^Go back to The tide table/ })
    await expect(back.first()).toBeVisible()
    await back.first().click()
    await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(1)
  })
})

test('an open player follows the other device, and Undo goes back; the device that started last plays', async ({
  shop,
  device,
}) => {
  const email = shop.someone('reader')
  const at = async () =>
    new AtThePlayer(await openPage(await device({ viewport: PHONE, of: email }), `/player/${LEDGER}`))
  const [here, there] = [await at(), await at()]
  const shopSays = await ShopSays.to(email, shop.url)
  await here.expectChapter('Lamp forty-one')
  await there.expectChapter('Lamp forty-one')

  await test.step('an open player moves to the other device’s place; Undo returns, and that place counts', async () => {
    await hearAt(there, 'Oranges', 0.5)
    await here.expectChapter('Oranges')
    await here.page.getByRole('button', { name: 'Undo' }).click()
    await here.expectChapter('Lamp forty-one')
    await expect.poll(async () => (await shopSays.place(LEDGER))?.chapter, SOON).toBe(2)
    // The other device is open and paused too, and follows the choice.
    await there.expectChapter('Lamp forty-one')
  })

  await test.step('the second start takes over; the first device says so, and can take it back', async () => {
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

  await test.step('PLAY-06: taken over, it continues where the other device stopped, at the time that is shown there', async () => {
    await there.seek(0.5)
    await there.expectSound(3)
    const began = firstHeard(here.page)
    await here.press('Play')
    await there.expectSilence()
    const stopped = await there.seconds()
    const clock = await there.screen
      .getByText(/^\d:\d\d$/)
      .first()
      .innerText()
    await expect(there.screen.getByRole('status', { name: /^Playing on / }).getByText(clock)).toBeVisible()
    expect(Math.abs((await began) - stopped)).toBeLessThanOrEqual(1)
  })

  await test.step('a book that is finished on one device is finished on the other', async () => {
    await here.chooseChapter('Lighting-up time')
    await here.seek(0.97)
    await expect(there.screen.getByRole('heading', { name: /^You’ve finished / })).toBeVisible(SOON)
    await expect(there.screen.getByText('Playing elsewhere')).toBeHidden()
    await expect(there.screen.getByRole('button', { name: 'Play What the Starlings Kept' })).toBeVisible()
  })
})
