// Covers: player
import type { BrowserContext, Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

interface LockScreen {
  actions: Record<string, ((details: MediaSessionActionDetails) => void) | null>
  positions: { duration: number; position: number; playbackRate: number }[]
  session: { metadata: MediaMetadata | null; playbackState: string }
}

declare global {
  var lockScreen: LockScreen
}

const WANTED = ['seekto', 'seekbackward', 'seekforward', 'previoustrack', 'nexttrack', 'play', 'pause']

test('trap 9 and trap 10: the lock screen shows and controls the playing chapter, also after another app played; a headset’s double press counts once', async ({
  device,
}) => {
  const phone = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  const { page, player } = await withLockScreen(phone)
  await player.chooseChapter('Spring tide')
  await player.expectSound()
  expect(await shown(page)).toMatchObject({
    title: 'Spring tide',
    album: 'The Orchard at Low Tide',
    artist: 'Wren Castellan',
    sizes: ['330x330', '900x900'],
    state: 'playing',
  })
  expect(await registered(page)).toEqual(expect.arrayContaining(WANTED))

  await test.step('some systems forget the metadata when another app plays', async () => {
    await page.evaluate(() => {
      for (const action of Object.keys(lockScreen.actions)) lockScreen.actions[action] = null
    })
    await player.press('Pause')
    await expect.poll(() => shown(page)).toMatchObject({ state: 'paused' })
    await player.press('Play')
    await expect.poll(() => registered(page)).toEqual(expect.arrayContaining(WANTED))
    await player.press('Pause')
  })

  await test.step('its scrubber, jumps and a headset move the sound once per press', async () => {
    const expectAt = (seconds: number) => expect.poll(() => player.seconds()).toBe(seconds)
    await press(page, 'seekto', { seekTime: 30 })
    await expectAt(30)
    await press(page, 'seekforward', { seekOffset: 10 })
    await expectAt(40)
    await press(page, 'seekbackward', {})
    await expectAt(25)
    await pressTwice(page, 'nexttrack')
    await expectAt(40)
    await pressTwice(page, 'previoustrack')
    await expectAt(25)
    // Headsets send play and pause in pairs: only the first of the two is meant.
    await page.evaluate(() => {
      lockScreen.actions.play!({ action: 'play' })
      lockScreen.actions.pause!({ action: 'pause' })
    })
    await player.expectSound()
  })

  await player.press('Next chapter')
  await expect.poll(() => shown(page)).toMatchObject({ title: 'The grafting knife', state: 'playing' })
  const positions = await page.evaluate(() => lockScreen.positions)
  expect(positions.length).toBeGreaterThan(4)
  for (const { duration, position, playbackRate } of positions) {
    expect(duration).toBeGreaterThan(0)
    expect(position).toBeGreaterThanOrEqual(0)
    expect(position).toBeLessThanOrEqual(duration)
    expect(playbackRate).toBeGreaterThan(0)
  }
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
