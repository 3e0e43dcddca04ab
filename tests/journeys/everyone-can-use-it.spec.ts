import type { Page } from '@playwright/test'
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectAccessibleInBoth,
} from '#tests/support/accessible.ts'
import { AtThePlayer } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

test.describe.configure({ timeout: 180_000 })

async function visit(page: Page, path: string, name?: string): Promise<void> {
  await page.goto(path)
  const heading = page.getByRole('main').getByRole('heading', { level: 1, ...(name ? { name } : {}) })
  await expect(heading.first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

const PUBLIC = [
  '/',
  '/audiobooks',
  '/ebooks?page=2',
  '/audiobooks/the-lamplighters-ledger',
  '/audiobooks/nine-rooms-of-rain',
  '/audiobooks/not-yet-bells',
  '/ebooks/harbour-lights-annual',
  '/access-denied',
  '/server-error',
  '/404',
  '/sample/salt-road-letters',
]

test('no public screen keeps anybody out, on a phone or a desktop, light or dark', async ({ device }) => {
  const page = await (await device()).newPage()
  for (const path of PUBLIC)
    await test.step(path, async () => {
      await visit(page, path)
      await expectAccessibleEverywhere(page)
    })
})

test('neither the log-in nor what it objects to keeps anybody out', async ({ device }) => {
  const page = await (await device()).newPage()
  await visit(page, '/login')
  await expectAccessibleEverywhere(page)
  const main = page.getByRole('main')
  await main.getByLabel('Email').fill('nobody')
  await main.getByLabel('Password', { exact: true }).focus()
  await main.getByLabel('Password', { exact: true }).blur()
  await expect(main.getByText('Email must be valid')).toBeVisible()
  await expect(main.getByText('Password is required')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await main.getByLabel('Email').fill('nobody@murmur.example')
  await main.getByLabel('Password', { exact: true }).fill('not the password')
  await main.getByRole('button', { name: 'Log in' }).click()
  await expect(main.getByRole('alert')).toHaveText('Invalid credentials')
  await expectAccessibleEverywhere(page)
})

test('a book that is not sold where the visitor is keeps nobody out either', async ({ device }) => {
  const abroad = await openPage(
    await device({ of: 'abroad@murmur.example' }),
    '/audiobooks/the-customs-house',
  )
  await expect(abroad.getByText('Not available in your region')).toBeVisible()
  await expectAccessibleInBoth(abroad)
})

const OWN = [
  ['/library', 'Library'],
  ['/downloads', 'Downloads'],
  ['/settings', 'Settings'],
  ['/audiobooks/a-house-of-sundays', 'A House of Sundays'],
  ['/ebooks/oak-gall', 'Oak Gall'],
  ['/player/the-night-baker', 'The Night Baker'],
] as const
/** Screens of an app, which do not end in the shop's footer. */
const WITHOUT_FOOTER: ReadonlySet<string> = new Set(['/library', '/downloads', '/settings'])

test('no screen of one’s own keeps anybody out, on a phone or a desktop, light or dark', async ({
  device,
}) => {
  const page = await openPage(await device({ of: 'shelf@murmur.example' }), '/')
  for (const [path, name] of OWN)
    await test.step(path, async () => {
      await visit(page, path, name)
      if (WITHOUT_FOOTER.has(path)) await expect(page.getByRole('contentinfo')).toHaveCount(0)
      if (path === '/library') {
        const begun = page.getByRole('region', { name: 'Continue listening' })
        await expect(begun.getByRole('listitem').first()).toContainText('The Salt Ledger')
      }
      await expectAccessibleEverywhere(page)
    })
})

test('trap 35: neither the player nor one of its sheets keeps anybody out', async ({ device }) => {
  const context = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  const page = await openPage(context, '/player/tin-whistle-winter')
  const player = new AtThePlayer(page)
  await player.chooseChapter('Grace notes')
  await player.press('Pause')
  await player.press('Bookmark this place')
  await expectAccessibleEverywhere(page)
  for (const open of [
    () => player.press('Chapters'),
    () => player.press(/Speed$/),
    () => player.press('Sleep timer'),
    () => entry(page, player, 'Bookmarks'),
    () => entry(page, player, 'Keys'),
  ]) {
    await open()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await player.press('More')
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await page.keyboard.press('Escape')
  await player.press('Minimise player')
  await expect(player.screen).toHaveAttribute('data-display', 'mini')
  await expectAccessibleEverywhere(page)
})

test('nor does an empty library', async ({ device }) => {
  const empty = await openPage(await device({ viewport: PHONE, of: 'empty@murmur.example' }), '/library')
  await expect(empty.getByText('Your library is empty. The shelves aren’t.')).toBeVisible()
  await expect(empty.getByRole('group', { name: 'Show' })).toHaveCount(0)
  await expect(empty.getByRole('link', { name: 'Manage' })).toHaveCount(0)
  await expectAccessibleInBoth(empty)
})

test('trap 35: by keyboard alone, from logging in to sound', async ({ page, shop }) => {
  const email = shop.someone('reader')
  await page.goto('/login')
  await expect(page.getByRole('main').getByLabel('Email', { exact: true })).toBeVisible()
  await tabTo(page, 'Email')
  await page.keyboard.type(email)
  await tabTo(page, 'Password')
  await page.keyboard.type('murmur-demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await tabTo(page, 'Skip to content', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await tabTo(page, 'Account', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Library' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused()

  await tabTo(page, /^What the Starlings Kept/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'What the Starlings Kept' })).toBeFocused()
  await expect(page.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await tabTo(page, 'Play')
  const [window] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  const player = new AtThePlayer(window)
  await player.expectSound()

  // And from there on with what the player's own keys and its slider say.
  await tabTo(window, 'Position in chapter')
  const slider = player.screen.getByRole('slider', { name: 'Position in chapter' })
  const at = (await soundNow(window)).seconds
  await window.keyboard.press('PageUp')
  await expect(slider).toHaveAttribute('aria-valuetext', /\d+ (minutes?|seconds?).* of 1 minute 4 seconds/)
  expect((await soundNow(window)).seconds).toBeGreaterThan(at)
  await tabTo(window, 'Pause', 'Tab')
  await window.keyboard.press('Space')
  await player.expectSilence()
})

test('at 320 px, and with text twice as large, nothing scrolls sideways and no word is lost', async ({
  device,
}) => {
  const context = await device({ viewport: { width: 320, height: 640 }, of: 'shelf@murmur.example' })
  const page = await openPage(context, '/')
  for (const path of [
    '/',
    '/audiobooks',
    '/audiobooks/the-lamplighters-ledger',
    '/audiobooks/a-house-of-sundays',
    '/library',
    '/downloads',
    '/settings',
    '/404',
    '/player/tin-whistle-winter',
  ]) {
    await page.setViewportSize({ width: 320, height: 640 })
    await visit(page, path)
    expect(await sideways(page), path).toEqual([])
    await page.setViewportSize(DESKTOP)
    await page.evaluate(doubleText)
    expect(await sideways(page), `${path} with text twice as large`).toEqual([])
  }
  await test.step('a phone on its side shows all of the player', async () => {
    await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
    await visit(page, '/player/tin-whistle-winter')
    for (const name of ['Play', 'More', 'Sleep timer', 'Bookmark this place'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  })
})

test('forced colours and less motion are respected', async ({ device }) => {
  const context = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  const page = await openPage(context, '/player/tin-whistle-winter')
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const player = new AtThePlayer(page)
  await expect(player.screen.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  // What tells controls from the ground is an edge or a picture in the system's own colours, not our fill.
  const edges = await player.screen.getByRole('button', { name: 'Play', exact: true }).evaluate((button) => {
    const style = getComputedStyle(button)
    const ground = getComputedStyle(document.body).backgroundColor
    return { border: style.borderStyle, differs: style.backgroundColor !== ground }
  })
  expect(edges.border !== 'none' || edges.differs).toBe(true)
  await visit(page, '/library', 'Library')
  await expectAccessible(page)

  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation as CSSAnimation).animationName),
  )
  expect(moving).toEqual([])
})

async function entry(page: Page, player: AtThePlayer, name: string): Promise<void> {
  await player.press('More')
  await page.getByRole('menuitem', { name }).click()
}

/** Presses Tab until the element with this name has the focus, and sees that the focus can be seen. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    const focused = page.locator(':focus')
    if ((await focused.count()) > 0 && press > 0) {
      const said = await focused.evaluate((element) => {
        const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
        const label = labels.map((one) => one.textContent).join(' ')
        return (element.getAttribute('aria-label') ?? (label || element.textContent) ?? '').trim()
      })
      const matches = typeof name === 'string' ? said === name : name.test(said)
      if (matches) {
        const seen = await focused.evaluate((element) => {
          const rings = [element, element.parentElement!].map((one) => getComputedStyle(one))
          return rings.some(({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none')
        })
        expect(seen, `a ring round ${said}`).toBe(true)
        return
      }
    }
    await page.keyboard.press(key)
  }
  throw new Error(`Sixty presses of ${key} never came to ${String(name)}`)
}

/** Every size of type that the design knows, twice as large, as a browser that enlarges text alone shows it. */
function doubleText(): void {
  const { style } = document.documentElement
  const computed = getComputedStyle(document.documentElement)
  for (const token of ['--t-xs', '--t-sm', '--t-md', '--t-lg', '--d-sm', '--d-md', '--d-lg', '--d-xl'])
    style.setProperty(token, `calc(2 * (${computed.getPropertyValue(token)}))`)
}

/** What stands wider than the window, outside of what is meant to be scrolled sideways. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const scrolls = document.documentElement.scrollWidth > width + 1
    if (!scrolls) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .slice(0, 5)
      .map(
        (element) =>
          `${element.tagName}.${element.className} ${Math.round(element.getBoundingClientRect().right)}`,
      )
  })
