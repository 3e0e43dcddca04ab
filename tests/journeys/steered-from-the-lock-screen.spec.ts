import type { BrowserContext, Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

const OWNER = 'shelf@murmur.example'

interface LockScreen {
  actions: Record<string, ((details: MediaSessionActionDetails) => void) | null>
  positions: { duration: number; position: number; playbackRate: number }[]
  session: { metadata: MediaMetadata | null; playbackState: string }
}

declare global {
  var lockScreen: LockScreen
}

test('trap 9: the lock screen has its buttons, its scrubber and the chapter that plays, also after others spoke', async ({
  device,
}) => {
  const { page, player } = await withLockScreen(await device({ viewport: PHONE, of: OWNER }))
  await player.chooseChapter('Spring tide')
  await player.expectSound(1)
  expect(await shown(page)).toMatchObject({
    title: 'Spring tide',
    album: 'The Orchard at Low Tide',
    artist: 'Wren Castellan',
    sizes: ['330x330', '900x900'],
    state: 'playing',
  })
  const wanted = ['seekto', 'seekbackward', 'seekforward', 'previoustrack', 'nexttrack', 'play', 'pause']
  expect(await registered(page)).toEqual(expect.arrayContaining(wanted))

  // Some systems forget it all when another app spoke in between.
  await page.evaluate(() => {
    for (const action of Object.keys(lockScreen.actions)) lockScreen.actions[action] = null
  })
  await player.press('Pause')
  expect(await shown(page)).toMatchObject({ state: 'paused' })
  await player.press('Play')
  await player.expectSound(1)
  expect(await registered(page)).toEqual(expect.arrayContaining(wanted))

  await press(page, 'seekto', { seekTime: 30 })
  await expect.poll(async () => (await soundNow(page)).seconds).toBeGreaterThanOrEqual(30)
  await press(page, 'seekforward', { seekOffset: 10 })
  await expect.poll(async () => (await soundNow(page)).seconds).toBeGreaterThanOrEqual(40)
  await press(page, 'seekbackward', {})
  await expect.poll(async () => (await soundNow(page)).seconds).toBeLessThan(35)

  await player.hearIntoChapter('The grafting knife')
  expect(await shown(page)).toMatchObject({ title: 'The grafting knife', state: 'playing' })
  const positions = await page.evaluate(() => lockScreen.positions)
  expect(positions.length).toBeGreaterThan(4)
  for (const { duration, position, playbackRate } of positions) {
    expect(duration).toBeGreaterThan(0)
    expect(position).toBeGreaterThanOrEqual(0)
    expect(position).toBeLessThanOrEqual(duration)
    expect(playbackRate).toBeGreaterThan(0)
  }
})

test('trap 10: a headset’s next and previous jump 15 s, chapters where wished, and a double press counts once', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: OWNER })
  const { page, player } = await withLockScreen(phone)
  await player.chooseChapter('Spring tide')
  await player.expectSound(1)
  await player.press('Pause')
  await press(page, 'seekto', { seekTime: 20 })
  await expect.poll(() => player.seconds()).toBe(20)

  await pressTwice(page, 'nexttrack')
  await expect.poll(() => player.seconds()).toBe(35)
  await pressTwice(page, 'previoustrack')
  await expect.poll(() => player.seconds()).toBe(20)
  // Headsets send play and pause in pairs: whichever comes first is what was meant.
  await page.evaluate(() => {
    lockScreen.actions.play!({ action: 'play' })
    lockScreen.actions.pause!({ action: 'pause' })
  })
  await player.expectSound(1)
  await player.expectChapter('Spring tide')

  await page.goto('/settings')
  await page.getByRole('switch', { name: 'Headset buttons change the chapter' }).click()
  await page.goto('/player/the-orchard-at-low-tide')
  await player.press('Play')
  await player.expectSound(1)
  await press(page, 'nexttrack', {})
  await player.expectChapter('The grafting knife')
})

async function withLockScreen(phone: BrowserContext): Promise<{ page: Page; player: AtThePlayer }> {
  await phone.addInitScript(() => {
    const seen: LockScreen = {
      actions: {},
      positions: [],
      session: { metadata: null, playbackState: 'none' },
    }
    globalThis.lockScreen = seen
    Object.defineProperty(navigator, 'mediaSession', {
      value: Object.assign(seen.session, {
        setActionHandler: (action: string, act: LockScreen['actions'][string]) =>
          (seen.actions[action] = act),
        setPositionState: (state: LockScreen['positions'][number]) => void seen.positions.push({ ...state }),
      }),
    })
  })
  const page = await openPage(phone, '/player/the-orchard-at-low-tide')
  return { page, player: new AtThePlayer(page) }
}

const shown = (page: Page) =>
  page.evaluate(() => {
    const { metadata, playbackState } = lockScreen.session
    return {
      title: metadata?.title,
      album: metadata?.album,
      artist: metadata?.artist,
      sizes: metadata?.artwork.map((picture) => picture.sizes),
      state: playbackState,
    }
  })

const registered = (page: Page) =>
  page.evaluate(() => Object.entries(lockScreen.actions).flatMap(([action, act]) => (act ? [action] : [])))

const press = (page: Page, action: MediaSessionAction, details: Partial<MediaSessionActionDetails>) =>
  page.evaluate(([name, given]) => lockScreen.actions[name]?.({ action: name, ...given }), [
    action,
    details,
  ] as const)

const pressTwice = (page: Page, action: MediaSessionAction) =>
  page.evaluate((name) => {
    lockScreen.actions[name]?.({ action: name })
    lockScreen.actions[name]?.({ action: name })
  }, action)
