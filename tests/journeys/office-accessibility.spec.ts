// Covers: office, ui
import type { APIRequestContext } from '@playwright/test'
import { expectAccessibleScreen } from '#tests/support/accessible.ts'
import { expect, type Shop, test } from '#tests/support/journey.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'
import { OFFICE_SCREENS, type OfficeThings } from '#tests/support/office-screens.ts'

const MIDDLE = Math.ceil(OFFICE_SCREENS.length / 2)

// Two tests, so that two workers share the screens.
for (const [half, screens] of [
  ['the first half', OFFICE_SCREENS.slice(0, MIDDLE)],
  ['the second half', OFFICE_SCREENS.slice(MIDDLE)],
] as const)
  test(`OFFICE-78: every screen of the office passes axe on a phone by day and on a desktop by night, and nothing is wider than the window: ${half}`, async ({
    shop,
    device,
  }) => {
    const page = await withFingerprint(await device())
    const email = half === 'the first half' ? 'vera@screens.example' : 'otto@screens.example'
    await joinOffice(page, await invited(shop, email, 'owner'), 'Vera Quist')
    const things = await officeThings(shop, page.request)
    // Each screen is looked at, so that one run names all that is wrong.
    const wrong: string[] = []
    for (const { route, at } of screens) {
      const path = at?.(things) ?? route
      await test.step(path, async () => {
        await page.goto(officeUrl(shop, path))
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await expect(page.getByText(/^Loading /)).toHaveCount(0)
        await expectAccessibleScreen(page).catch((error: Error) => wrong.push(error.message))
        for (const width of [320, 390, 768, 1680]) {
          await page.setViewportSize({ width, height: 800 })
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          if (over > 0) wrong.push(`${path} is ${over} px too wide at ${width} px`)
        }
      })
    }
    expect(wrong).toEqual([])
  })

async function officeThings(shop: Shop, request: APIRequestContext): Promise<OfficeThings> {
  const ask = async (path: string) => {
    const answer = await request.get(officeUrl(shop).replace('/office', `/api/office${path}`))
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }
  const stated = { name: 'Una Reed', email: 'una@withdraw.example', contract: 'M-999999' }
  await request.post(`${shop.url}/api/withdrawals`, { data: stated })
  const waiting = async () =>
    (await ask('/today')).todo.find(({ kind }: { kind: string }) => kind === 'withdrawal')
  await expect.poll(waiting).toBeDefined()
  const [orders, people, titles, team, journal, unsent, cards] = await Promise.all(
    ['/orders', '/people?words=giftee', '/titles', '/team', '/journal', '/emails/unsent', '/cards'].map(ask),
  )
  const person = people.rows[0].id
  return {
    order: orders.rows[0].number,
    person,
    personEmail: (await ask(`/people/${person}`)).emails[0].id,
    slug: titles.rows[0].slug,
    titles: `${titles.rows[0].id},${titles.rows[1].id}`,
    batch: cards.batches[0].id,
    bookshop: cards.bookshops[0].slug,
    staff: team.people[0].id,
    piece: `${journal.rows[0].kind}/${journal.rows[0].key}`,
    unsent: unsent.emails[0].id,
    withdrawal: (await waiting()).key.split(':')[1],
  }
}
