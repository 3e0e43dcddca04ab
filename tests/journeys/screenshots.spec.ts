// Covers: ui, layout, home
import { AtThePlayer } from '#tests/support/player-page.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

/**
 * Ten screens compared with screenshots that a person has checked. After an intended change run
 * `npx playwright test screenshots --update-snapshots`, and check them again.
 */
const SCREENS = [
  { name: 'home on a phone', path: '/', viewport: PHONE },
  { name: 'home', path: '/', viewport: DESKTOP },
  { name: 'listing', path: '/audiobooks', viewport: DESKTOP },
  { name: 'book on a phone', path: '/audiobooks/the-lamplighters-ledger', viewport: PHONE },
  { name: 'book at night', path: '/audiobooks/the-lamplighters-ledger', viewport: DESKTOP, night: true },
  { name: 'article on a phone', path: '/articles/the-margins-of-a-page', viewport: PHONE },
  { name: 'article at night', path: '/articles/the-margins-of-a-page', viewport: DESKTOP, night: true },
  { name: 'membership', path: '/subscription', viewport: DESKTOP },
  { name: 'library at night on a phone', path: '/library', viewport: PHONE, night: true, of: 'nell' },
  { name: 'player on a phone', path: '/player/the-lamplighters-ledger', viewport: PHONE, of: 'nell' },
] as const

for (const of of [undefined, 'nell'] as const)
  test(`the screens of ${of ? 'a member' : 'the shop'} match their stored screenshots`, async ({
    shop,
    device,
  }) => {
    const page = await (await device(of ? { of: shop.someone(of) } : {})).newPage()
    for (const screen of SCREENS.filter((each) => ('of' in each ? each.of : undefined) === of))
      await test.step(screen.name, async () => {
        const { path, viewport } = screen
        await page.setViewportSize(viewport)
        const colorScheme = 'night' in screen ? 'dark' : 'light'
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(path)
        if (path.startsWith('/player')) await expect(new AtThePlayer(page).chapter).toBeVisible()
        else await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible()
        await page.evaluate(() => document.fonts.ready.then(() => undefined))
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        // Other builds of the browser, and headed mode, place letters slightly differently.
        await expect(page).toHaveScreenshot(`${screen.name}.png`, {
          maxDiffPixelRatio: 0.025,
        })
      })
  })
