import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedMember } from '#contract/office/members.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { paymentTries } from '#server/db/schema/orders.ts'
import { eq } from 'drizzle-orm'
import { mails, sentMails } from '#server/db/schema/mails.ts'
import { MAIL_SAMPLES } from '#server/integrations/mail/samples.ts'
import { queueMail } from '#server/integrations/mail/queue.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let books: StaffSession
let support: StaffSession
beforeAll(async () => {
  shop = await testShop()
  books = await signedInStaff(shop, 'bookkeeper')
  support = await signedInStaff(shop, 'support')
})
afterAll(() => shop.close())

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(shop.clock.now().getTime() + days * DAY_MS)

async function aMember(name: string, state: Partial<typeof subscriptions.$inferInsert>) {
  const user = await aUser(shop, {
    firstName: name,
    lastName: '',
    email: `${name.toLowerCase()}@members.example`,
  })
  const [row] = await shop.db
    .insert(subscriptions)
    .values({
      userId: user.id,
      plan: 4,
      status: 'active',
      periodStart: inDays(-1),
      periodEnd: inDays(20),
      validUntil: inDays(20),
      providerId: `sub_${name}`,
      paymentType: 'card',
      orderedAt: inDays(-10),
      ...state,
    })
    .returning()
  return { user, id: row!.id }
}

test('OFFICE-16: members are listed by state and plan, the next payment first, with what they bring in a month and what failed', async () => {
  await aMember('Yearly', { plan: 2, nextMinor: 120_00, periodEnd: inDays(300), validUntil: inDays(300) })
  const monthly = await aMember('Monthly', { nextMinor: 8_00 })
  await aMember('Trial', { status: 'trialing', trialEndsAt: inDays(3), priceMinor: 6_50 })
  await aMember('Leaving', { canceledAt: inDays(-1) })
  await aMember('Gift', { gift: true, providerId: null, paymentType: null, plan: 3 })
  await aMember('Over', { status: 'canceled', validUntil: inDays(-1), endedAt: inDays(-1) })
  const failing = await aMember('Failing', {
    status: 'past_due',
    paymentFailedAt: inDays(-2),
    nextMinor: 8_00,
  })
  await aMember('Joining', { status: 'incomplete' })
  for (const [outcome, days] of [
    ['refused', -40],
    ['paid', -30],
    ['refused', -2],
    ['refused', -1],
  ] as const)
    await shop.db.insert(paymentTries).values({
      key: randomUUID(),
      subscriptionId: failing.id,
      outcome,
      triedAt: inDays(days),
    } as typeof paymentTries.$inferInsert)
  await shop.db
    .insert(credits)
    .values({ userId: monthly.user.id, usableFrom: inDays(-1), usableUntil: inDays(9) })

  const list = async (query = '') => (await books.ask('GET', `/api/office/members?${query}`)).json()
  const names = (page: { rows: ListedMember[] }) => page.rows.map(({ name }) => name)
  const all = await list()
  expect(names(all).slice(0, 3)).toEqual(['Trial', 'Monthly', 'Yearly'])
  expect(new Set(names(all).slice(3))).toEqual(new Set(['Leaving', 'Gift', 'Failing']))
  // £8 and £6.50 a month, and a twelfth of £120.
  expect([all.total, all.sums.monthMinor]).toEqual([6, 24_50])
  expect(await list('part=totals')).toEqual({ rows: [], next: null, total: 6, sums: { monthMinor: 24_50 } })
  expect(all.rows[0]).toMatchObject({ state: 'trial', next: { minor: 6_50 }, toChoose: 0 })
  expect(all.rows[1]).toMatchObject({ plan: 'Reader, monthly', toChoose: 1 })
  expect((await list('state=failing')).rows).toMatchObject([{ name: 'Failing', refused: 2, next: null }])
  for (const [query, found] of [
    ['state=trial', ['Trial']],
    ['state=leaving', ['Leaving']],
    ['state=gift', ['Gift']],
    ['state=lapsed', ['Over']],
    ['choose=yes', ['Monthly']],
    ['tier=avid&sort=name', ['Gift', 'Yearly']],
    ['words=YEARLY@', ['Yearly']],
    ['since=today', []],
  ] as const)
    expect(names(await list(query)), query).toEqual(found)
  const paged: string[] = []
  let after = ''
  for (let page = await list('limit=4'); ; page = await list(`limit=4&after=${after}`)) {
    paged.push(...names(page))
    if (!page.next) break
    after = page.next
  }
  expect(paged).toEqual(names(all))
  expect((await list('sort=secret')).status).toBe(400)
  expect((await support.ask('GET', '/api/office/members/export')).statusCode).toBe(403)
})

test('OFFICE-67: a failing payment says why, until when the benefits run, and sends its email again by a press', async () => {
  const { user, id } = await aMember('Declined', { status: 'past_due', paymentFailedAt: inDays(-2) })
  await shop.db.insert(paymentTries).values({
    ...{ key: randomUUID(), subscriptionId: id, outcome: 'refused', triedAt: inDays(-1) },
    reason: 'The card has expired',
  })
  const row = async (by: StaffSession): Promise<ListedMember> =>
    (await by.ask('GET', '/api/office/members?state=failing&words=declined')).json().rows[0]
  const failing = { reason: 'The card has expired', benefitsUntil: inDays(5).toISOString() }
  expect(await row(support)).toMatchObject({ failing: { ...failing, act: null } })
  await queueMail(shop.db, {
    ...{ to: user.email, kind: 'payment_failed', key: 'payment_failed:in_1' },
    data: { ...MAIL_SAMPLES.payment_failed.data, subscriptionId: id },
  })
  const [mail] = await shop.db.select().from(mails).where(eq(mails.key, 'payment_failed:in_1'))
  await shop.db
    .insert(sentMails)
    .values({ mailId: mail!.id, recipient: user.email, subject: 'Your payment', text: 'It did not work.' })
  const act = { kind: 'send-email', target: mail!.id, label: 'Email them again' }
  expect(await row(support)).toMatchObject({ failing: { ...failing, act } })
  expect(await row(books)).toMatchObject({ failing: { ...failing, act: null } })
})

test('OFFICE-67: memberships of closed accounts are listed without a name, paged, and in no other list', async () => {
  const terms = {
    plan: 4 as const,
    status: 'canceled' as const,
    periodStart: inDays(-40),
    periodEnd: inDays(-9),
  }
  for (const days of [-30, -20, -10])
    await shop.db
      .insert(subscriptions)
      .values({ ...terms, validUntil: inDays(days), orderedAt: inDays(days - 30), endedAt: inDays(days) })
  const list = async (query: string) => (await books.ask('GET', `/api/office/members?${query}`)).json()
  const all = await list('account=closed')
  expect([all.total, all.sums.monthMinor]).toEqual([3, 0])
  expect(all.rows[0]).toMatchObject({
    id: null,
    name: 'Account closed',
    email: '',
    state: 'lapsed',
    failing: null,
  })
  for (const sort of ['next', '-since', 'name']) {
    const seen: string[] = []
    let after = ''
    for (let page = await list(`account=closed&limit=1&sort=${sort}`); ;) {
      seen.push(...page.rows.map(({ until }: ListedMember) => until))
      if (!page.next) break
      after = page.next
      page = await list(`account=closed&limit=1&sort=${sort}&after=${after}`)
    }
    expect(new Set(seen).size, sort).toBe(3)
  }
  expect((await list('account=closed&tier=avid')).total).toBe(0)
  expect((await list('account=closed&words=a')).total).toBe(0)
  expect((await list('state=lapsed')).rows.map(({ name }: ListedMember) => name)).not.toContain(
    'Account closed',
  )
})

test('OFFICE-16: an account with several memberships is listed once: by the one that runs, the own before a given one, else the last', async () => {
  const add = (userId: string, state: Partial<typeof subscriptions.$inferInsert>) =>
    shop.db.insert(subscriptions).values({
      ...{ userId, plan: 4, status: 'active', periodStart: inDays(-1), periodEnd: inDays(20) },
      ...{ validUntil: inDays(20), orderedAt: inDays(-5), ...state },
    })
  const both = await aMember('Both', {})
  await add(both.user.id, { gift: true, plan: 3, orderedAt: inDays(-1) })
  await add(both.user.id, { status: 'canceled', validUntil: inDays(-1), orderedAt: inDays(-1) })
  const over = { status: 'canceled', validUntil: inDays(-1) } as const
  const twice = await aMember('Twice', { ...over, plan: 6 })
  await add(twice.user.id, { ...over, plan: 1, orderedAt: inDays(-2) })
  const rows = async (query: string) =>
    (await books.ask('GET', `/api/office/members?${query}`)).json().rows as ListedMember[]
  expect(await rows('words=both@')).toMatchObject([{ state: 'active', plan: 'Reader, monthly' }])
  expect(await rows('words=twice@&state=lapsed')).toMatchObject([{ plan: 'Avid Reader, monthly' }])
})
