import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aCover } from '#tests/support/catalogue-builders.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { remade } from './resend.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

async function bothFor({ user }: Member) {
  const rows = await all.shop.db.select().from(mails).where(eq(mails.recipient, user.email))
  const written = rows.map(({ kind, recipient, data }) => ({ kind, to: recipient, data }))
  const again = await Promise.all(rows.map((row) => remade(all.shop, row)))
  return { kinds: rows.map(({ kind }) => kind), written, again }
}

const expectAgain = async (member: Member, ...expected: string[]) => {
  const { kinds, written, again } = await bothFor(member)
  expect(kinds).toEqual(expected)
  expect(again).toEqual(written)
}

test('recreates the emails about a membership’s payments from its charges, word for word', async () => {
  const member = await all.member(4)
  await anAudioBook(all.shop, { coverId: await aCover(all.shop, 'c0ffee01'), edition: true })
  await expectAgain(member, 'membership_started')
  await all.shop.db.delete(mails)
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  await expectAgain(member, 'membership_renewed')
  const [renewed] = (await bothFor(member)).again
  expect(renewed!.data).toMatchObject({ covers: [expect.anything()] })

  const other = await all.member(4)
  await all.shop.db.delete(mails)
  const withdrawn = await other.ask('POST', `/api/subscriptions/${other.id}/withdraw`, { amount: 8 })
  expect(withdrawn.statusCode).toBe(200)
  await other.settle()
  await expectAgain(other, 'withdrawal_received', 'membership_withdrawn')
})
