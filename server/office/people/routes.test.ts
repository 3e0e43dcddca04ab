import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedPerson } from '#contract/office/people.ts'
import { users } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { refunds, orders } from '#server/db/schema/orders.ts'
import { anAudioBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { aBuyer, checkOut, comeBack, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let at: PayingShop
let wilf: StaffSession
let owner: StaffSession
beforeAll(async () => {
  at = await payingShop()
  wilf = await signedInStaff(at.shop, 'support', { name: 'Wilf Garrity' })
  owner = await signedInStaff(at.shop, 'owner', { name: 'Hana Brodie' })
})
afterAll(() => at.shop.close())

const DAY_MS = 86_400_000
const list = async (query = '') => (await wilf.ask('GET', `/api/office/people?${query}`)).json()
const addresses = (page: { rows: ListedPerson[] }) => page.rows.map(({ email }) => email)
const look = async (id: string) => (await wilf.ask('GET', `/api/office/people/${id}`)).json()
const post = (id: string, path: string, body: object = {}, by = wilf) =>
  by.ask('POST', `/api/office/people/${id}/${path}`, body)
const reason = (answer: Awaited<ReturnType<typeof post>>) => answer.json()['hydra:description']

async function aMember(
  state: Partial<typeof subscriptions.$inferInsert>,
  user: Partial<typeof users.$inferInsert> = {},
) {
  const person = await aUser(at.shop, user)
  const now = at.shop.clock.now()
  await at.shop.db.insert(subscriptions).values({
    userId: person.id,
    plan: 4,
    status: 'active',
    periodStart: new Date(now.getTime() - DAY_MS),
    periodEnd: new Date(now.getTime() + 20 * DAY_MS),
    validUntil: new Date(now.getTime() + 20 * DAY_MS),
    ...state,
  })
  return person
}

test('OFFICE-10: people are found by name, address, order, membership, kind of account and problem, in each order, without gaps', async () => {
  const ada = await aUser(at.shop, { firstName: 'Ada', lastName: 'Quill', email: 'ada@people.example' })
  const failing = await aMember(
    { status: 'past_due', providerId: 'sub_failing', paymentFailedAt: at.shop.clock.now() },
    { firstName: 'Jonah', lastName: 'Brill', email: 'jonah@people.example' },
  )
  const past = new Date(at.shop.clock.now().getTime() - DAY_MS)
  const lapsed = await aMember({ status: 'canceled', validUntil: past, endedAt: past })
  const leaving = await aMember({ providerId: 'sub_leaving', canceledAt: past })
  const gift = await aMember({ gift: true })
  const desk = await aUser(at.shop, { outlet: 'Corner House Books', email: 'desk@people.example' })
  const blocked = await aUser(at.shop, { blockedAt: past, confirmedAt: past })
  for (const [query, found] of [
    ['words=quill', [ada.email]],
    ['words=ADA@people', [ada.email]],
    ['member=failing', [failing.email]],
    ['member=lapsed', [lapsed.email]],
    ['member=leaving', [leaving.email]],
    ['member=gift', [gift.email]],
    ['member=any&sort=since', [failing.email, leaving.email, gift.email]],
    ['problem=yes&sort=since', [failing.email, blocked.email]],
    ['kind=bookshop', [desk.email]],
    ['kind=blocked', [blocked.email]],
    ['words=%25%25', []],
  ] as const)
    expect(addresses(await list(query)), query).toEqual(found)
  const all = await list()
  expect(all.total).toBe(7)
  // A screen asks for the rows first, because the count may take longer.
  expect(await list('part=rows')).toEqual({ rows: all.rows, next: null })
  expect(await list('part=totals')).toEqual({ rows: [], next: null, total: 7, sums: {} })
  expect(all.rows.find(({ email }: ListedPerson) => email === failing.email)).toMatchObject({
    name: 'Jonah Brill',
    plan: 'Reader, monthly',
    memberState: 'failing',
    problems: ['payment'],
  })
  const paged: string[] = []
  let next: string | null = ''
  do {
    const page: { rows: ListedPerson[]; next: string | null } = await list(
      `sort=name&limit=3${next ? `&after=${next}` : ''}`,
    )
    paged.push(...addresses(page))
    ;({ next } = page)
  } while (next)
  expect([paged.length, new Set(paged)]).toEqual([7, new Set(addresses(all))])
  for (const bad of ['sort=secret', 'member=lost', 'after=zzz', 'since=soon'])
    expect((await wilf.ask('GET', `/api/office/people?${bad}`)).statusCode, bad).toBe(400)
})

test('OFFICE-11: a person’s page says what they own and how it came, what they paid and were sent, and what we owe them', async () => {
  const buyer = await aBuyer(at.shop)
  const checkout = await checkOut(
    buyer,
    await fillBag(buyer, [{ ...(await anAudioBook(at.shop, { title: 'Peat' })), kind: 'audio_books' }]),
  )
  at.payments.pay(checkout.intent, { last4: '4242' })
  await comeBack(buyer, checkout)
  await inLibrary(at.shop, buyer.user, await anAudioBook(at.shop, { title: 'Gorse' }), { source: 'free' })
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, checkout.order))
  await at.shop.db.insert(refunds).values({
    orderId: order!.id,
    reason: 'owner',
    amountMinor: 100,
    state: 'refused',
    key: randomUUID(),
    nextTryAt: at.shop.clock.now(),
    createdAt: at.shop.clock.now(),
    updatedAt: at.shop.clock.now(),
  })
  const person = await look(buyer.user.id)
  const byTitle = (a: { title: string }, b: { title: string }) => a.title.localeCompare(b.title)
  expect(person.titles.toSorted(byTitle)).toMatchObject([
    { title: 'Gorse', came: 'Free title', order: null },
    { title: 'Peat', came: 'Bought', order: order!.number },
  ])
  expect(person.orders).toMatchObject([{ number: order!.number, totalMinor: order!.totalMinor }])
  expect(person.paidMinor).toBe(order!.totalMinor)
  expect(person.problems).toEqual([
    { what: 'We owe them £1.00: the refund was refused by the provider.', order: order!.number },
  ])
  expect(person.emails.map(({ subject }: { subject: string }) => subject)).toContain('Order confirmed')
  expect((await wilf.ask('GET', `/api/office/people/${randomUUID()}`)).statusCode).toBe(404)
})

test('OFFICE-12: free audiobooks are given with an email, and taken back from the log until a title is chosen', async () => {
  const person = await aUser(at.shop)
  const given = (await post(person.id, 'audiobooks', { count: 2 })).json()
  expect(given.what).toMatch(/^Gave 2 free audiobooks until \d{4}-\d\d-\d\d$/)
  expect((await look(person.id)).credits).toBe(2)
  const told = await at.shop.db.select().from(mails).where(eq(mails.recipient, person.email))
  expect(told.map(({ kind }) => kind)).toEqual(['audiobook_given'])
  const undo = (entry: number) => wilf.ask('POST', `/api/office/activity/${entry}/undo`)
  expect((await undo(given.entry)).statusCode).toBe(200)
  expect((await look(person.id)).credits).toBe(0)
  const kept = (await post(person.id, 'audiobooks', { count: 1, until: '2049-01-31' })).json()
  await at.shop.db
    .update(credits)
    .set({ spentAt: at.shop.clock.now() })
    .where(eq(credits.usableUntil, new Date('2049-02-01T00:00:00Z')))
  const tooLate = await undo(kept.entry)
  expect([tooLate.statusCode, reason(tooLate)]).toEqual([422, 'A title was chosen with it.'])
  expect((await post(person.id, 'audiobooks', { count: 1, until: '2020-01-31' })).statusCode).toBe(422)
  expect((await post(person.id, 'audiobooks', { count: 13 })).statusCode).toBe(422)
})

test('OFFICE-12: a free copy comes into the library once, with a reason, and is taken back from the log', async () => {
  const person = await aUser(at.shop)
  const { id: book } = await anAudioBook(at.shop, { title: 'Samphire' })
  expect((await post(person.id, 'titles', { book, because: ' ' })).statusCode).toBe(422)
  const { what, entry } = (await post(person.id, 'titles', { book, because: 'The author’s copy' })).json()
  expect(what).toBe('Gave Samphire (audiobook)')
  expect((await look(person.id)).titles).toMatchObject([{ title: 'Samphire', came: 'Given by the shop' }])
  const again = await post(person.id, 'titles', { book, because: 'Once more' })
  expect([again.statusCode, reason(again)]).toEqual([422, 'It is in their library already.'])
  const undo = () => wilf.ask('POST', `/api/office/activity/${entry}/undo`)
  expect((await undo()).statusCode).toBe(200)
  expect((await look(person.id)).titles).toEqual([])
  expect((await undo()).statusCode).toBe(422)
})

test('OFFICE-12: an address is confirmed, corrected, logged out, blocked and let in again, each written down', async () => {
  const person = await aUser(at.shop, { confirmedAt: null })
  const { xtoken } = await signedIn(at.shop, person)
  const me = async () =>
    (await at.shop.app.inject({ url: '/api/logged-user', headers: { xtoken } })).statusCode
  expect(await me()).toBe(200)
  expect((await post(person.id, 'address', { email: 'right@people.example' })).statusCode).toBe(200)
  expect((await look(person.id)).email).toBe('right@people.example')
  expect((await post(person.id, 'confirmation')).statusCode).toBe(200)
  expect((await post(person.id, 'confirmation')).statusCode).toBe(422)
  expect((await post(person.id, 'block', { because: ' ' })).statusCode).toBe(422)
  expect((await post(person.id, 'block', { because: 'Tries stolen cards' })).statusCode).toBe(200)
  expect((await look(person.id)).blockedSince).not.toBeNull()
  expect((await post(person.id, 'unblock')).statusCode).toBe(200)
  expect((await post(person.id, 'log-out')).statusCode).toBe(200)
  const { activity } = await look(person.id)
  expect(activity).toMatchObject([
    { by: 'Wilf Garrity', what: 'Logged out everywhere' },
    { what: 'Unblocked the account' },
    { what: 'Blocked the account', because: 'Tries stolen cards' },
    { what: 'Confirmed the address' },
    { what: 'Corrected the address' },
  ])
})

test('OFFICE-13: a private note is the team’s, is put back from the log, and is in the copy of their data', async () => {
  const person = await aUser(at.shop)
  const write = (text: string) => wilf.ask('PUT', `/api/office/people/${person.id}/note`, { text })
  await write('Prefers a phone call.')
  const second = (await write('Moved to Whitby.')).json()
  expect((await look(person.id)).note).toMatchObject({ text: 'Moved to Whitby.', by: 'Wilf Garrity' })
  await wilf.ask('POST', `/api/office/activity/${second.entry}/undo`)
  expect((await look(person.id)).note.text).toBe('Prefers a phone call.')
  const { xtoken } = await signedIn(at.shop, person)
  const own = await at.shop.app.inject({ url: `/api/users/${person.id}/export`, headers: { xtoken } })
  expect(own.json().noteOfTheShop).toMatchObject([{ text: 'Prefers a phone call.' }])
  expect(own.body).not.toContain('Wilf')
  await write('')
  expect((await look(person.id)).note).toBeNull()
})

test('OFFICE-12: months are given and a membership is ended at once; one that doesn’t renew can’t be cancelled', async () => {
  const person = await aUser(at.shop)
  const given = await post(person.id, 'membership', { months: 3, tier: 'reader' })
  expect(given.json().what).toBe('Gave 3 months of Reader')
  expect((await look(person.id)).memberships).toMatchObject([
    { plan: 'Reader, monthly', state: 'gift', next: null },
  ])
  const later = await post(person.id, 'membership/end', { atOnce: false, because: 'Asked for it' })
  expect([later.statusCode, reason(later)]).toEqual([422, expect.stringContaining('It does not renew')])
  expect((await post(person.id, 'membership/end', { atOnce: true, because: 'Asked' })).statusCode).toBe(200)
  expect((await look(person.id)).memberships).toMatchObject([{ state: 'lapsed', isRunning: false }])
  expect((await post(person.id, 'membership/end', { atOnce: true, because: 'Asked' })).statusCode).toBe(422)
})

test('OFFICE-19: staff see a customer’s listening only while the customer allows it, for a day, and each look is in the customer’s data', async () => {
  const person = await aUser(at.shop)
  const { xtoken } = await signedIn(at.shop, person)
  const book = await anAudioBook(at.shop, { title: 'Marram' })
  await inLibrary(at.shop, person, book)
  const own = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
    at.shop.app.inject({ method, url, headers: { xtoken }, ...(payload && { payload }) })
  await own('POST', '/api/user_audio_book_times', {
    audioBook: `/api/audio_books/${book.slug}`,
    chapter: 2,
    seconds: 75,
  })
  const seen = () => wilf.ask('GET', `/api/office/people/${person.id}/listening`)
  expect((await seen()).statusCode).toBe(403)
  expect(JSON.stringify(await look(person.id))).not.toContain('"chapter"')
  const allow = (shown: boolean) => own('PATCH', `/api/users/${person.id}/listening-shown`, { shown })
  expect((await allow(true)).json().listeningShownUntil).toBeTruthy()
  expect((await seen()).json().titles).toMatchObject([{ title: 'Marram', chapter: 2, seconds: 75 }])
  expect((await allow(false)).json().listeningShownUntil).toBeUndefined()
  expect((await seen()).statusCode).toBe(403)
  await allow(true)
  const past = new Date(at.shop.now().getTime() - 1)
  await at.shop.db.update(users).set({ listeningShownUntil: past }).where(eq(users.id, person.id))
  expect((await seen()).statusCode).toBe(403)
  expect((await look(person.id)).listeningUntil).toBeNull()
  const { doneByTheShop } = (await own('GET', `/api/users/${person.id}/export`)).json()
  expect(doneByTheShop).toMatchObject([{ what: 'Looked at what they listened to, as they allowed' }])
})

test('OFFICE-14: an email is read without what opens something, and sent again; another person’s is 404', async () => {
  const buyer = await aBuyer(at.shop)
  const checkout = await checkOut(
    buyer,
    await fillBag(buyer, [{ ...(await anAudioBook(at.shop, { title: 'Kelp' })), kind: 'audio_books' }]),
  )
  at.payments.pay(checkout.intent)
  await comeBack(buyer, checkout)
  await at.shop.db.update(mails).set({ sentAt: at.shop.now() }).where(eq(mails.recipient, buyer.user.email))
  const { emails } = await look(buyer.user.id)
  const receipt = emails.find(({ subject }: { subject: string }) => subject === 'Order confirmed')
  const path = `emails/${receipt.id}`
  const read = await wilf.ask('GET', `/api/office/people/${buyer.user.id}/${path}`)
  expect(read.json().text).toContain('Kelp')
  expect((await post(buyer.user.id, `${path}/again`)).json()).toEqual({ to: buyer.user.email })
  expect(
    (await look(buyer.user.id)).emails.filter(
      ({ subject }: { subject: string }) => subject === 'Order confirmed',
    ),
  ).toHaveLength(2)
  const stranger = await aUser(at.shop)
  expect((await wilf.ask('GET', `/api/office/people/${stranger.id}/${path}`)).statusCode).toBe(404)
  expect((await post(stranger.id, `${path}/again`)).statusCode).toBe(404)
})

test('OFFICE-15: an owner exports and closes an account after typing its name; support can’t, and a bookshop’s account stays', async () => {
  const person = await aUser(at.shop, { firstName: 'Rosa', lastName: 'Lind' })
  const file = await owner.ask('GET', `/api/office/people/${person.id}/export`)
  expect(file.json().profile.email).toBe(person.email)
  const plan = (await owner.ask('GET', `/api/office/people/${person.id}/closing`)).json()
  expect(plan.amountMinor).toBe(0)
  const body = { name: 'rosa lind', shownMinor: 0, because: 'Asked by letter' }
  expect((await post(person.id, 'close', body, wilf)).statusCode).toBe(403)
  expect((await post(person.id, 'close', { ...body, name: 'Rosa' }, owner)).statusCode).toBe(422)
  expect((await post(person.id, 'close', { ...body, shownMinor: 5 }, owner)).statusCode).toBe(409)
  expect((await post(person.id, 'close', body, owner)).statusCode).toBe(204)
  expect((await owner.ask('GET', `/api/office/people/${person.id}`)).statusCode).toBe(404)
  const desk = await aUser(at.shop, { outlet: 'Tide Books', firstName: 'Desk', lastName: 'One' })
  const refused = await post(desk.id, 'close', { ...body, name: 'Desk One' }, owner)
  expect([refused.statusCode, reason(refused)]).toEqual([422, expect.stringContaining('Tide Books')])
})
