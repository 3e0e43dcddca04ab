import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { starterPackRequests } from '#server/db/schema/cards.ts'
import { anAudioBook, aUser, signedIn } from '#tests/support/builders.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { todoList } from '../../checks/todo.ts'
import { outletsCommand } from '../../commands/outlets.ts'
import { cleanUp } from '../../jobs/clean-up.ts'

const OWNER = 'cards@shop.example'
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  const settings = JSON.stringify({ bookshopMail: OWNER })
  await shop.db.execute(
    sql`insert into content_records (name, content) values ('settings', ${settings}::jsonb)
      on conflict (name) do update set content = excluded.content`,
  )
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.db.delete(starterPackRequests)
  await shop.db.execute(sql`delete from mails`)
  await shop.db.execute(sql`delete from rate_limits`)
})

const WISH = {
  ...{ shop: 'Corner House Books', name: 'Una Reed', town: 'Whitby', packs: 2 },
  email: 'una@corner.example',
}
const ask = async (more: object = {}, remoteAddress = '203.0.113.7') => {
  const payload = { ...WISH, ...more }
  return (await shop.app.inject({ method: 'POST', url: '/api/starter_packs', payload, remoteAddress }))
    .statusCode
}
const mailsTo = async (email: string) => {
  const { rows } = await shop.db.execute<{ kind: string; data: Record<string, unknown> }>(
    sql`select kind, data from mails where recipient = ${email} order by queued_at, id`,
  )
  return rows
}
const stored = () => shop.db.select().from(starterPackRequests)
const todo = async () => (await todoList(shop, async () => [])()).filter(({ kind }) => kind === 'pack')
const packs = async (...argv: string[]) => (await typed(shop, outletsCommand, ['packs', ...argv])).said

test('RESL-10: a bookshop asks once: the owner and the bookshop get an email, and the to-do list names it until it is done', async () => {
  const answers = await Promise.all([ask(), ask(), ask({ email: 'Una@Corner.example' })])
  expect(answers).toEqual([204, 204, 204])
  const [request, ...others] = await stored()
  expect(others).toEqual([])
  expect(request).toMatchObject({ shopName: WISH.shop, contact: WISH.name, email: WISH.email, packs: 2 })
  const id = request!.id.slice(0, 8)
  expect(await mailsTo(OWNER)).toMatchObject([
    { kind: 'starter_pack_asked', data: { shopName: WISH.shop, email: WISH.email, id } },
  ])
  expect(await mailsTo(WISH.email)).toMatchObject([
    { kind: 'starter_pack_received', data: { town: 'Whitby', packs: 2, bookshopMail: OWNER } },
  ])

  const [found] = await todo()
  expect(found!.what).toBe('Corner House Books in Whitby asked for 2 starter packs of cards.')
  expect(found!.remedy).toContain(`npm run outlets -- packs --done ${id}`)
  expect(JSON.stringify(found)).not.toContain('una@')
  expect(await packs()).toMatch(/Corner House Books, Whitby +Una Reed <una@corner\.example>$/)
  expect(await packs('--done', id)).toMatch(/^Corner House Books is off the list/)
  expect(await todo()).toEqual([])
  expect(await packs()).toBe('No bookshop is waiting for a starter pack.')
  await expect(packs('--done', id)).rejects.toThrow('There is no open request')
  expect(await ask()).toBe(204)
  expect(await todo()).toHaveLength(1)
})

test('RESL-10: what cannot be sent is refused, and nothing that a stranger types becomes a link in the emails', async () => {
  for (const wrong of [
    ...[{ packs: 0 }, { packs: 5 }, { shop: ' ' }, { town: '' }],
    ...[{ name: 'www.win.example' }, { email: 'una' }, { shop: 'Two\nlines' }, { town: 'x'.repeat(81) }],
  ])
    expect(await ask(wrong), JSON.stringify(wrong)).toBe(422)
  expect(await stored()).toEqual([])
  expect(await ask({ shop: 'Win at https://win.example/now', town: 'win.example' })).toBe(204)
  for (const { data } of [...(await mailsTo(OWNER)), ...(await mailsTo(WISH.email))]) {
    expect(data.shopName).toBe('Win at …')
    expect(data.town).toBe('win. example')
  }
})

test('RESL-10: strangers can fill neither a mailbox nor the list', async () => {
  const many = async (count: number, more: (index: number) => object, from: (index: number) => string) => {
    const answers: number[] = []
    for (let index = 0; index < count; index += 1) answers.push(await ask(more(index), from(index)))
    return answers
  }
  const other = (index: number) => ({ email: `desk-${index}@corner.example` })
  const fromOne = await many(22, other, () => '203.0.113.8')
  expect(fromOne.filter((status) => status === 204)).toHaveLength(20)
  expect(fromOne.slice(20)).toEqual([429, 429])
  const fromMany = await many(
    7,
    (index) => ({ town: `Town ${index}` }),
    (index) => `203.0.113.${index + 20}`,
  )
  expect(fromMany).toEqual([204, 204, 204, 204, 204, 429, 429])
  expect(await stored()).toHaveLength(25)
  expect(await mailsTo(OWNER)).toHaveLength(20)
  expect(await mailsTo(WISH.email)).toHaveLength(5)
})

test('RESL-10: an export has the requests of one’s address, deleting the account deletes them, and so does a year', async () => {
  const una = await aUser(shop, { confirmedAt: shop.now() })
  const headers = { ...(await signedIn(shop, una)) }
  expect([await ask({ email: una.email }), await ask()]).toEqual([204, 204])
  const { starterPacks } = (await shop.app.inject({ url: `/api/users/${una.id}/export`, headers })).json()
  expect(starterPacks).toMatchObject([{ shop: WISH.shop, town: 'Whitby', packs: 2, doneAt: null }])
  const payload = { password: una.password }
  await shop.app.inject({ method: 'POST', url: `/api/users/${una.id}/delete-account`, headers, payload })
  expect(await stored()).toMatchObject([{ email: WISH.email }])

  const daysAgo = (days: number) => new Date(shop.now().getTime() - days * 86_400_000) as never
  await shop.db.update(starterPackRequests).set({ askedAt: daysAgo(364) })
  await cleanUp(shop)
  expect(await stored()).toHaveLength(1)
  await shop.db.update(starterPackRequests).set({ askedAt: daysAgo(366) })
  await cleanUp(shop)
  expect(await stored()).toEqual([])
})

test('RESL-03: what a bookshop keeps of a card is calculated as its statements are; only titles that come as cards have a sum', async () => {
  await anAudioBook(shop, { slug: 'carded', availableAsCard: true, priceMinor: 1199 })
  await anAudioBook(shop, { slug: 'not-carded', priceMinor: 1199 })
  const sumOf = (slug: string) => shop.app.inject(`/api/card_sums/${slug}`)
  // Of £11.99 £2.00 is VAT, and a commission is 10% of the rest.
  expect((await sumOf('carded')).json()).toEqual({ sold: 11.99, invoiced: 4.8, keeps: 7.19, commission: 1 })
  expect((await sumOf('not-carded')).statusCode).toBe(404)
})
