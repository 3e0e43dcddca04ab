import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { ordersCommand } from '#server/commands/orders.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { type MembersShop, membersShop } from '#tests/support/members.ts'
import { typed } from '#tests/support/run-command.ts'
import { membersCommand } from './members.ts'
import { benefitsOf } from '../features/membership/service.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const command = (...argv: string[]) => typed(all.shop, membersCommand, argv)
const WHY = ['--because', 'she asked', '--yes']
const usableOf = (userId: string) =>
  all.shop.db.$count(credits, and(eq(credits.userId, userId), isNull(credits.revokedAt)))

test('a membership is shown with its charges, and ends at the end of the paid period or at once', async () => {
  const member = await all.member(4)
  const { email, id } = member.user
  const { said } = await command('show', email)
  for (const part of ['Reader, monthly, active', 'Next £8.00 on', '1 free audiobook to choose', '£8.00'])
    expect(said).toContain(part)
  expect(said).not.toContain('paid back')
  expect((await command('end', email, ...WHY)).said).toMatch(/Nothing more is charged[\s\S]*It ends on/)
  expect(await member.current()).toMatchObject({ canceledAt: expect.any(String) })
  await expect(command('end', email, ...WHY)).rejects.toThrow(/was cancelled already/)
  expect((await command('end', email, '--at-once', ...WHY)).said).toContain('It has ended.')
  expect([(await benefitsOf(all.shop.db, id, all.shop.clock.now())).current, await usableOf(id)]).toEqual([
    null,
    0,
  ])
  await expect(command('end', email, '--at-once', ...WHY)).rejects.toThrow(/no membership that runs/)
})

test('refunding a membership’s charge ends the membership and creates a credit note at the provider', async () => {
  const member = await all.member(4)
  const [order] = await all.shop.db.select().from(orders).where(eq(orders.userId, member.user.id))
  const refund = await typed(all.shop, ordersCommand, ['refund', order!.number, ...WHY])
  expect(refund.said).toContain('the membership ends with it')
  expect(refund.said).toContain('£8.00 went back.')
  const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
  expect(row!.status).toBe('canceled')
  expect((await command('show', member.user.email)).said).toContain('£8.00 paid back')
  const subjects = await all.mailsTo(member)
  const told = refund.said.match(/reads “(.*)”/)![1]
  expect(subjects).toContain(told)
  await expect(typed(all.shop, ordersCommand, ['refund', order!.number, ...WHY])).rejects.toThrow(
    /went back already/,
  )
})

test('free months are given at once, or after the current membership', async () => {
  const reader = await aBuyer(all.shop)
  const given = await command('give', reader.user.email, '3', ...WHY)
  expect(given.said).toMatch(/gets 3 months of Reader, for nothing[\s\S]*It has started\./)
  expect(await usableOf(reader.user.id)).toBe(3)
  const letters = await all.lettersTo(reader)
  expect(letters.at(-1)!.text).toContain('3 months of Reader')
  expect((await command('show', reader.user.email)).said).toContain(', given')
  const more = await command('give', reader.user.email, '1', '--plan', 'supporter', ...WHY)
  expect(more.said).toContain('It waits until the membership before it has ended.')
  expect(more.said).toMatch(/when that has ended, on \d/)
  const member = await all.member(6)
  const behind = await command('give', member.user.email, '2', ...WHY)
  expect(behind.said).toMatch(/when that has ended, and they get an email then\.[\s\S]*Theirs renews\./)
  for (const months of ['0', '25', 'two'])
    await expect(command('give', member.user.email, months, ...WHY)).rejects.toThrow(/from 1 to 24/)
})
