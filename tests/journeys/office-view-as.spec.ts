// Covers: office, auth, session
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { tokensOf } from '#tests/support/stored-session.ts'
import { invited, joinOffice, officeUrl, withFingerprint } from '#tests/support/office.ts'

test('OFFICE-20: support views the shop as a customer, read only, in a tab that stores nothing; the customer sees the view among their log-ins and ends it', async ({
  shop,
  device,
}) => {
  const context = await device()
  const page = await withFingerprint(context)
  await joinOffice(page, await invited(shop, 'wilf@view.example', 'support'), 'Wilf Garrity')
  await page.goto(officeUrl(shop, '/people?words=reader@murmur.example'))
  await page.getByRole('link', { name: 'Rosa Lind' }).click()
  await page.getByRole('link', { name: 'See the shop as Rosa' }).click()
  const drawer = page.getByRole('dialog', { name: 'See the shop as them' })
  await drawer.getByRole('button', { name: 'See the shop as Rosa' }).click()
  const opened = context.waitForEvent('page')
  await drawer.getByRole('link', { name: 'Open the shop as Rosa' }).click()
  const view = await opened
  const broken: string[] = []
  view.on('pageerror', (error) => broken.push(error.message))
  const bar = view.getByRole('region', { name: 'You see the shop as somebody else' })
  await expect(bar).toContainText('You see the shop as Rosa Lind. Read only.')
  await expect(view).toHaveURL(officeUrl(shop).replace('/office', '/'))

  await test.step('their library and orders are there, also after a reload; nothing can be changed', async () => {
    await view.goto(officeUrl(shop, '').replace('/office', '/library'))
    await expect(bar).toBeVisible()
    await expect(
      view
        .getByRole('main')
        .getByRole('link', { name: /Lamplighter|Nine Rooms|Salt|Bell/ })
        .first(),
    ).toBeVisible()
    await expectAccessible(view)
    await view.goto(officeUrl(shop, '').replace('/office', '/settings'))
    const newsletter = view.getByRole('switch', { name: /Newsletter/ })
    const answered = view.waitForResponse((answer) => answer.url().endsWith('/newsletter-update'))
    const before = await newsletter.isChecked()
    await newsletter.click()
    expect((await answered).status()).toBe(403)
    await expect(newsletter).toBeChecked({ checked: before })
    expect(broken).toEqual([])
  })

  await test.step('nothing of it is stored in this browser, and the office stays signed in', async () => {
    const stored = await page.evaluate(async () => ({
      local: Object.keys(localStorage).filter((key) => /token/i.test(key)),
      databases: (await indexedDB.databases()).map(({ name }) => name),
    }))
    expect(stored.local).toEqual([])
    expect(stored.databases.filter((name) => name?.includes('murmur-owner'))).toEqual([])
    await expect(page.getByText('Saw the shop as them, read only')).toBeVisible()
  })

  await test.step('a link from elsewhere with somebody’s token logs nobody in', async () => {
    const visitor = await (await device()).newPage()
    const { token } = await tokensOf(officeUrl(shop, '').replace('/office', ''), 'reader@murmur.example')
    await visitor.goto(`/#view=${token},${Date.now() + 60_000},Mallory`)
    await visitor.goto('/orders')
    await expect(visitor).toHaveURL(/\/(login|access-denied)/)
    await expect(visitor.getByRole('region', { name: 'You see the shop as somebody else' })).toHaveCount(0)
  })

  await test.step('the person sees it among their log-ins and ends it; on a phone the bar stays', async () => {
    const theirs = await (await device({ of: 'reader@murmur.example', viewport: PHONE })).newPage()
    await theirs.goto('/settings')
    const row = theirs.getByRole('listitem').filter({ hasText: 'Wilf Garrity, who helps you' })
    await expect(row).toBeVisible()
    await view.setViewportSize(PHONE)
    await expect(bar).toBeVisible()
    const ended = view.waitForResponse((answer) => answer.url().endsWith('/api/view/leave'))
    await bar.getByRole('button', { name: 'Leave' }).click()
    await expect(bar).toHaveCount(0)
    expect((await ended).status()).toBe(204)
    await theirs.reload()
    await expect(theirs.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
    await expect(row).toHaveCount(0)
  })
})
