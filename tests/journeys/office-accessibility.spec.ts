// Covers: office, ui
import type { APIRequestContext, Page } from '@playwright/test'
import { expectAccessibleScreen } from '#tests/support/accessible.ts'
import { expect, PHONE, type Shop, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'
import { OFFICE_SCREENS, type OfficeThings } from '#tests/support/office-screens.ts'

const PARTS = 4
const EACH = Math.ceil(OFFICE_SCREENS.length / PARTS)

// In parts, so that workers share the screens, and none takes minutes on a busy machine.
for (let part = 1; part <= PARTS; part += 1)
  test(`OFFICE-78: every screen of the office passes axe on a phone by day and on a desktop by night, and nothing is wider than the window: part ${part} of ${PARTS}`, async ({
    shop,
    device,
  }) => {
    const page = await withFingerprint(await device())
    await joinOffice(page, await invited(shop, `vera-${part}@screens.example`, 'owner'), 'Vera Quist')
    const things = await officeThings(shop, page.request)
    // Each screen is looked at, so that one run names all that is wrong.
    const wrong: string[] = []
    for (const { route, at } of OFFICE_SCREENS.slice((part - 1) * EACH, part * EACH)) {
      const path = (await at?.(things)) ?? route
      await test.step(path, async () => {
        await openScreen(page, shop, path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await expect(page.getByText(/^Loading /)).toHaveCount(0)
        for (const width of [320, 768, 1680, PHONE.width]) {
          await page.setViewportSize({ ...PHONE, width })
          const over = await pixelsTooWide(page)
          if (over > 0) wrong.push(`${path} is ${over} px too wide at ${width} px`)
        }
        await expectAccessibleScreen(page).catch((error: Error) => wrong.push(error.message))
      })
    }
    expect(wrong).toEqual([])
  })

test('OFFICE-78: a table of the office that waits for its rows fits a phone', async ({ shop, device }) => {
  const page = await withFingerprint(await device({ viewport: { ...PHONE, width: 320 } }))
  await joinOffice(page, await invited(shop, 'waiting@screens.example', 'owner'), 'Vera Quist')
  await page.route('**/api/office/**', () => {})
  const wrong: string[] = []
  for (const path of ['/titles/months', '/pages', '/team']) {
    await openScreen(page, shop, path)
    await expect(page.locator('td > .bone').first(), path).toBeAttached()
    const over = await pixelsTooWide(page)
    if (over > 0) wrong.push(`${path} is ${over} px too wide`)
  }
  expect(wrong).toEqual([])
})

/** Two frames later, because charts follow the width in the frame after a resize. */
const pixelsTooWide = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(document.documentElement.scrollWidth - innerWidth)),
        ),
      ),
  )

/** Opens a screen as a link inside the office does, because loading the office again for each takes twice as long. */
async function openScreen(page: Page, shop: Shop, path: string): Promise<void> {
  if (!page.url().startsWith(officeUrl(shop))) return void (await page.goto(officeUrl(shop, path)))
  const address = `/office${path}`
  await page.evaluate((to) => window.__TSR_ROUTER__!.history.push(to), address)
  await page.waitForFunction(
    (to) => window.__TSR_ROUTER__!.state.resolvedLocation?.publicHref === to,
    address,
  )
}

async function officeThings(shop: Shop, request: APIRequestContext): Promise<OfficeThings> {
  const ask = async (path: string) => {
    const answer = await request.get(officeUrl(shop).replace('/office', `/api/office${path}`))
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }
  const stated = { name: 'Una Reed', email: 'una@withdraw.example', contract: 'M-999999' }
  await request.post(`${shop.url}/api/withdrawals`, { data: stated })
  const withdrawal = async () => {
    let key = ''
    await expect(async () => {
      const { todo } = await ask('/today')
      ;({ key } = todo.find(({ kind }: { kind: string }) => kind === 'withdrawal'))
    }).toPass()
    return key.split(':')[1]!
  }
  const [orders, people, titles, team, journal, unsent, cards, profiles] = await Promise.all(
    [
      '/orders',
      '/people?words=giftee',
      '/titles',
      '/team',
      '/journal',
      '/emails/unsent',
      '/cards',
      '/profiles',
    ].map(ask),
  )
  const person = people.rows[0].id
  return {
    order: orders.rows[0].number,
    person,
    personEmail: (await ask(`/people/${person}`)).emails[0].id,
    slug: titles.rows[0].slug,
    titles: `${titles.rows[0].id},${titles.rows[1].id}`,
    batch: cards.batches[0].id,
    profile: `${profiles.rows[0].kind}/${profiles.rows[0].id}`,
    bookshop: cards.bookshops[0].slug,
    staff: team.people[0].id,
    piece: `${journal.rows[0].kind}/${journal.rows[0].key}`,
    unsent: unsent.rows[0].id,
    withdrawal,
  }
}
