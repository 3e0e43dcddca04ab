// Covers: ui, app, layout
import type { Page } from '@playwright/test'
import { expectAccessibleNow, expectAccessibleScreen } from '#tests/support/accessible.ts'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { takenOver } from '#tests/support/page-errors.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { SCREENS, type Screen } from '#tests/support/screens.ts'
import { soundNow } from '#tests/support/sound-witness.ts'

for (const [part, screens] of Object.entries(SCREENS))
  test(`every screen passes axe: ${part}`, async ({ device }) => {
    const people = Map.groupBy(screens, ({ of }) => of)
    for (const [of, own] of people) {
      const page = await (await device(of ? { of: `${of}@murmur.example` } : {})).newPage()
      for (const screen of own)
        await test.step(screen.at, async () => {
          await visit(page, screen)
          await expectAccessibleScreen(page, screen.depth)
          await expectNothingSideways(page)
        })
      await page.context().close()
    }
  })

async function visit(page: Page, { at, says, lacks, fields, app }: Omit<Screen, 'route'>) {
  await page.goto(at)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible()
  if (says) await expect(page.getByText(says).first()).toBeVisible()
  if (lacks) await expect(page.getByText(lacks)).toHaveCount(0)
  if (fields)
    await expect(
      page.frameLocator('iframe[title="Secure CVC input frame"]').getByRole('textbox'),
    ).toBeVisible()
  if (app) await expect(page.getByRole('contentinfo')).toHaveCount(0)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe(at.replace(/\?.*/, ''))
}

/** Nothing is wider than the window: in small windows, on tablets and laptops, and with text twice as large. */
async function expectNothingSideways(page: Page) {
  for (const [width, rootPx] of [
    [320, 16],
    [768, 16],
    [1024, 16],
    [390, 32],
    [768, 32],
    [1280, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    // As a browser whose font size is doubled.
    await page.evaluate((px) => void (document.documentElement.style.fontSize = `${px}px`), rootPx)
    expect(await sideways(page), `${width} px wide, root font size ${rootPx} px`).toEqual([])
  }
}

test('trap 35: from log-in to playback by keyboard alone', async ({ page, shop }) => {
  const email = shop.someone('reader')
  await page.goto('/login')
  await takenOver(page)
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
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('l')
  await expect(menu.getByRole('menuitem', { name: 'Library' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused()

  await tabTo(page, 'More for What the Starlings Kept')
  await page.keyboard.press('Enter')
  const toBookPage = page.getByRole('menuitem', { name: 'Go to book page' })
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(toBookPage).toBeFocused({ timeout: 300 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'What the Starlings Kept' })).toBeFocused()
  await expect(page.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await tabTo(page, 'Play')
  const [window] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  const player = new AtThePlayer(window)
  await player.expectSound()

  // From here on, the player's keys and the slider.
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

test('forced colours, reduced motion and landscape phones are respected', async ({ device }) => {
  const context = await device({ viewport: PHONE, of: 'shelf@murmur.example' })
  const page = await openPage(context, '/player/tin-whistle-winter')
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const player = new AtThePlayer(page)
  await expect(player.screen.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  // In forced colours a control is visible by its border or by a system colour, not by our fill.
  const edges = await player.screen.getByRole('button', { name: 'Play', exact: true }).evaluate((button) => {
    const style = getComputedStyle(button)
    const ground = getComputedStyle(document.body).backgroundColor
    return { border: style.borderStyle, differs: style.backgroundColor !== ground }
  })
  expect(edges.border !== 'none' || edges.differs).toBe(true)
  await visit(page, { at: '/library' })
  await expectAccessibleNow(page)

  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0) > 1)
      .map((animation) => (animation as CSSAnimation).animationName),
  )
  expect(moving).toEqual([])

  await page.setViewportSize({ width: PHONE.height, height: PHONE.width })
  await visit(page, { at: '/player/tin-whistle-winter' })
  for (const name of ['Play', 'More', 'Sleep timer', 'Bookmark this place'])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
})

/** Presses Tab until the element with this name has the focus, and expects the focus to be visible. */
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

/** Elements that are wider than the window, except in containers that are meant to scroll sideways. */
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
