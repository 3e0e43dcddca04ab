import { DAY_MS } from '#contract/durations.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { customers } from '#server/db/schema/membership.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { NotAtProvider } from '#server/integrations/stripe/problems.ts'
import { type MembersShop, membersShop } from '#tests/support/members.ts'
import { resetDemo } from './fill-demo.ts'
import { OwnersFolder } from '#importer/fixtures/owners-folder.ts'

let all: MembersShop
const content = new OwnersFolder()
beforeAll(async () => {
  all = await membersShop()
  content.put('titles/.keep', '').put('accounts.json', {
    password: 'murmur-demo',
    accounts: [
      {
        email: 'reader@murmur.example',
        firstName: 'Rosa',
        lastName: 'Lind',
        confirmed: true,
        membership: {
          plan: 4,
          status: 'active',
          startedDaysAgo: 71,
          periodStartedDaysAgo: 11,
          periodDays: 30,
          creditsLeft: 1,
          payment: 'card',
        },
      },
    ],
  })
})
afterAll(async () => {
  await all?.close()
  content.remove()
})

test("a reset restores the demo's first day in the shop and at the sandbox, after any change and any advance of time", async () => {
  const member = await all.member(1)
  const providerId = await member.providerId()
  all.shop.clock.aheadMs = 40 * DAY_MS
  vi.spyOn(console, 'log').mockReturnValue()

  await resetDemo(all.shop, content.path)
  expect(all.shop.clock.aheadMs).toBe(0)
  const everybody = await all.shop.db.select().from(users)
  expect(everybody.map(({ email }) => email)).toEqual(['reader@murmur.example'])
  // With the orders for their past invoices at the sandbox.
  expect(await all.shop.db.$count(orders)).toBe(3)
  expect(await all.shop.db.$count(customers)).toBe(1)
  const { subscriptions } = all.sandbox.billing
  await expect(subscriptions.retrieve(providerId)).rejects.toThrow(NotAtProvider)
  const there = []
  for await (const { state } of subscriptions.list({})) there.push(state)
  expect(there).toEqual(['active'])
})

test('an owner’s database is never reset', async () => {
  const config = { ...all.shop.config, databaseUrl: 'postgres://somewhere' }
  const shop = { ...all.shop, config }
  const app = await buildApp(shop, { resetDemo: () => resetDemo(shop) })
  const answer = await app.inject({ method: 'POST', url: '/dev/reset' })
  expect(answer.statusCode).toBe(422)
  expect(await all.shop.db.$count(users)).toBe(1)
  await app.close()
})
