import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Today } from '#contract/office/today.ts'
import { PAGES_BY_LAW } from '#server/checks/titles-and-pages.ts'
import { infoPages } from '#server/db/schema/pages.ts'
import { loadDetails } from '#server/db/shop-queries.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { listeningEvents } from '#server/db/schema/listening.ts'
import { anAudioBook, aUser } from '#tests/support/builders.ts'
import { aBuyer, checkOut, comeBack, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'
import { randomUUID } from 'node:crypto'

let at: PayingShop
let owner: StaffSession
beforeAll(async () => {
  at = await payingShop()
  owner = await signedInStaff(at.shop, 'owner')
})
afterAll(() => at.shop.close())

const today = async (by = owner): Promise<Today> => (await by.ask('GET', '/api/office/today')).json()

test('OFFICE-09: yesterday’s orders and money are compared with the same weekday of the week before, and each role sees its own figures', async () => {
  expect((await today()).hasSold).toBe(false)
  const buyer = await aBuyer(at.shop)
  const title = await anAudioBook(at.shop)
  const checkout = await checkOut(buyer, await fillBag(buyer, [{ ...title, kind: 'audio_books' }]))
  at.payments.pay(checkout.intent, { last4: '4242' })
  await comeBack(buyer, checkout)
  // Sessions end after twelve hours.
  at.shop.clock.advance(24 * 3600)
  owner = await signedInStaff(at.shop, 'owner')
  const { days, hasSold } = await today()
  expect(hasSold).toBe(true)
  expect(days).toHaveLength(14)
  expect(days.at(-1)).toMatchObject({ orders: 1, refundedMinor: 0 })
  expect(days.at(-1)!.takenMinor).toBeGreaterThan(0)
  expect(days.at(-8)).toMatchObject({ orders: 0, takenMinor: 0 })
  const support = await today(await signedInStaff(at.shop, 'support'))
  expect(support.days.at(-1)).toMatchObject({ orders: 1, takenMinor: null })
  expect(support.steps).toEqual([])
  const editor = await today(await signedInStaff(at.shop, 'editor'))
  expect([editor.days, editor.members.joined]).toEqual([[], { yesterday: null, before: null }])
})

test('OFFICE-09: fewer than ten listeners are not counted', async () => {
  const receivedAt = new Date(at.shop.clock.now().getTime() - 24 * 3_600_000)
  const listen = async () => {
    const user = await aUser(at.shop)
    await at.shop.db.insert(listeningEvents).values({ userId: user.id, eventId: randomUUID(), receivedAt })
  }
  for (let count = 0; count < 9; count += 1) await listen()
  expect((await today()).listeners).toEqual({ yesterday: null, before: null })
  await listen()
  expect((await today()).listeners).toEqual({ yesterday: 10, before: null })
})

test('OFFICE-09: what needs a person is listed for the roles that can act on it, is put aside, and is taken up again', async () => {
  const failing = { failures: 5, problem: 'no route', dueAt: at.shop.now(), failingSince: at.shop.now() }
  await at.shop.db
    .insert(jobs)
    .values({ name: 'mail', ...failing })
    .onConflictDoUpdate({ target: jobs.name, set: failing })
  const entry = (await today()).todo.find(({ kind }) => kind === 'job')
  expect(entry).toMatchObject({ key: 'job:mail', what: expect.stringContaining('mail') })
  const support = await signedInStaff(at.shop, 'support')
  expect((await today(support)).todo.filter(({ kind }) => kind === 'job')).toEqual([])
  const body = { key: 'job:mail' }
  expect((await support.ask('POST', '/api/office/today/aside', body)).statusCode).toBe(404)
  const aside = await owner.ask('POST', '/api/office/today/aside', body)
  expect(aside.statusCode).toBe(200)
  expect((await today()).todo.filter(({ kind }) => kind === 'job')).toEqual([])
  expect((await owner.ask('POST', `/api/office/activity/${aside.json().entry}/undo`)).statusCode).toBe(200)
  expect((await today()).todo.filter(({ kind }) => kind === 'job')).toHaveLength(1)
})

test('OFFICE-09: the first five steps tick themselves; the name’s is done once the pages that the law asks for are there', async () => {
  const steps = async () => (await today()).steps
  expect((await steps()).map(({ id }) => id)).toEqual(['name', 'title', 'mail', 'payments', 'backup'])
  const find = async (id: string) => (await steps()).find((step) => step.id === id)
  expect(await find('payments')).toMatchObject({ isDone: true, part: null, help: '' })
  expect(await find('name')).toMatchObject({ isDone: false, part: 'name' })
  const change = async (changes: object) => {
    const { version } = (await owner.ask('GET', '/api/office/settings')).json()
    const answer = await owner.ask('PATCH', '/api/office/settings', { version, changes })
    expect(answer.statusCode).toBe(200)
    await loadDetails(at.shop.db, at.shop.config.details)
  }
  await change({ name: 'The Quay' })
  expect(await find('name')).toMatchObject({ isDone: false, part: 'pages' })
  const pages = Object.keys(PAGES_BY_LAW)
  await at.shop.db
    .insert(infoPages)
    .values(pages.map((slug) => ({ slug, title: slug, content: '<p>Words.</p>' })))
  expect(await find('name')).toMatchObject({ isDone: false, part: 'seller' })
  await change({ seller: { address: ['1 The Quay'], vatNumber: 'GB 123 4567 89' } })
  expect(await find('name')).toMatchObject({ isDone: true, part: null })
})
