import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimAudioBook, listWaitingGifts, seeAudioBookGift } from '#contract/gifts.ts'
import { GIFT_MESSAGE_LENGTH } from '#contract/limits.ts'
import { rateLimits, users } from '#server/db/schema/accounts.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, inLibrary } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop } from '#tests/support/shop.ts'
import { takeBackGift, messageFrom, sendGiftAgain } from './title-gifts.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => void (await at.shop.db.delete(rateLimits)))
afterAll(() => at.shop.close())

const shelfOf = async ({ user }: Buyer) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, user.id))).map(
    ({ bookId }) => bookId,
  )

/** A paid gift, with the secrets in its email. */
async function given(giftEmail: string, kind: 'audio_books' | 'e_books' = 'audio_books') {
  const giver = await aBuyer(at.shop, { firstName: 'Gwen', lastName: 'Tarn' })
  const book = await (kind === 'audio_books' ? anAudioBook : anEBook)(at.shop, { title: 'Given' })
  const till = await checkOut(giver, await fillBag(giver, [{ ...book, kind, giftEmail }]))
  at.payments.pay(till.intent)
  await hearOf(at, till.intent)
  const sent = await at.shop.db.select().from(mails).where(eq(mails.recipient, giftEmail))
  const mail = sent.at(-1)!.data as { token: string; code: string }
  const { token, code } = mail
  return { giver, book, token, code, till, mail }
}

test('GIFT-19: a given book enters the recipient’s library, not the giver’s, once it is claimed', async () => {
  const friend = await aBuyer(at.shop)
  const { giver, book, token, till, mail } = await given(friend.user.email)
  expect(mail).toMatchObject({ kind: 'audiobook', title: 'Given', giverName: 'Gwen Tarn' })
  const onReceipt = async () =>
    (await giver.ask('GET', `/api/order_carts/${till.order}`)).json().orderItems[0].giftClaimedAt
  expect(await onReceipt()).toBeNull()
  expect(await shelfOf(giver)).toEqual([])
  expect(await shelfOf(friend)).toEqual([])
  const claimed = await friend.ask('POST', `/api/audio_books/claim/${token}`)
  expect(misfits(claimAudioBook.reply, claimed.json())).toEqual([])
  expect(claimed.json()).toMatchObject({ slug: book.slug, inLibrary: true, audioFiles: [{}, {}, {}] })
  expect(await shelfOf(friend)).toEqual([book.id])
  expect(await shelfOf(giver)).toEqual([])
  expect(await onReceipt()).not.toBeNull()
})

test('API-95: a gift link shows its gift and changes nothing; claiming works once', async () => {
  const friend = await aBuyer(at.shop)
  const { book, token, code } = await given(friend.user.email)
  const look = (secret: string) => at.shop.app.inject(`/api/audio_books/claim/${encodeURIComponent(secret)}`)
  for (const secret of [token, code, code.toLowerCase(), code.replaceAll('-', ' ')]) {
    const shown = (await look(secret)).json()
    expect(misfits(seeAudioBookGift.reply, shown)).toEqual([])
    expect(shown).toMatchObject({
      audioBook: { slug: book.slug },
      eBook: null,
      giverName: 'Gwen Tarn',
      giftEmail: friend.user.email,
      claimedAt: null,
    })
  }
  const claim = () => friend.ask('POST', `/api/audio_books/claim/${code}`)
  const answers = await Promise.all([claim(), claim(), claim()])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(await shelfOf(friend)).toEqual([book.id])
  expect((await look(token)).json().claimedAt).not.toBeNull()
  expect((await at.shop.app.inject(`/api/e_books/claim/${token}`)).statusCode).toBe(404)
})

test('only the account with the recipient’s email can claim a gift', async () => {
  const friend = await aBuyer(at.shop)
  const other = await aBuyer(at.shop)
  const { token, book, mail } = await given(friend.user.email.toUpperCase(), 'e_books')
  expect(mail).toMatchObject({ kind: 'e-book' })
  expect((await at.shop.app.inject(`/api/e_books/claim/${token}`)).json()).toMatchObject({
    audioBook: null,
    eBook: { slug: book.slug },
  })
  const refused = await other.ask('POST', `/api/e_books/claim/${token}`)
  expect([refused.statusCode, refused.json().message]).toEqual([403, 'Email must be same'])
  expect((await at.shop.app.inject({ method: 'POST', url: `/api/e_books/claim/${token}` })).statusCode).toBe(
    401,
  )
  expect(await shelfOf(other)).toEqual([])
  expect((await friend.ask('POST', `/api/e_books/claim/${token}`)).statusCode).toBe(200)
  expect(await shelfOf(friend)).toEqual([book.id])
})

test('a gift stays unclaimed if its recipient got the book meanwhile', async () => {
  const friend = await aBuyer(at.shop)
  const { token, book } = await given(friend.user.email)
  await inLibrary(at.shop, friend.user, book)
  const refused = await friend.ask('POST', `/api/audio_books/claim/${token}`)
  expect([refused.statusCode, refused.json().message]).toEqual([422, 'Already have this book'])
  expect((await at.shop.app.inject(`/api/audio_books/claim/${token}`)).json().claimedAt).toBeNull()
})

test('gifts wait for a confirmed address: registering another person’s address gives no access', async () => {
  const email = 'not.confirmed@post.example'
  const { book } = await given(email)
  const squatter = await aBuyer(at.shop, { email })
  expect((await squatter.ask('GET', '/api/gifts')).json()['hydra:totalItems']).toBe(0)
  const [{ id }] = (await at.shop.db
    .select({ id: gifts.id })
    .from(gifts)
    .where(eq(gifts.bookId, book.id))) as [{ id: string }]
  expect((await squatter.ask('POST', `/api/gifts/${id}/claim`)).statusCode).toBe(404)

  const confirmed = await aBuyer(at.shop, { email: 'confirmed@post.example', confirmedAt: at.shop.now() })
  await given('Confirmed@post.example')
  const { book: second } = await given('confirmed@post.example')
  const waiting = (await confirmed.ask('GET', '/api/gifts')).json()
  expect(misfits(listWaitingGifts.reply, waiting)).toEqual([])
  expect(waiting['hydra:totalItems']).toBe(2)
  // All of them are on one page.
  expect(waiting['hydra:view']).toBeUndefined()
  const back = { revokedAt: at.shop.clock.now() }
  await at.shop.db.update(gifts).set(back).where(eq(gifts.bookId, second.id))
  const [taken] = await at.shop.db.select().from(gifts).where(eq(gifts.bookId, second.id))
  expect((await confirmed.ask('POST', `/api/gifts/${taken!.id}/claim`)).statusCode).toBe(404)
  const [left] = (await confirmed.ask('GET', '/api/gifts')).json()['hydra:member']
  // Another account does not learn that the gift exists.
  const other = await aBuyer(at.shop, { confirmedAt: at.shop.now() })
  expect((await other.ask('POST', `/api/gifts/${left.id}/claim`)).statusCode).toBe(404)
  const claimed = await confirmed.ask('POST', `/api/gifts/${left.id}/claim`)
  expect(claimed.json().claimedAt).not.toBeNull()
  expect((await confirmed.ask('GET', '/api/gifts')).json()['hydra:totalItems']).toBe(0)
  expect(await shelfOf(confirmed)).toHaveLength(1)
})

test('a refunded gift cannot be claimed and leaves the recipient’s library; a recipient who had claimed it gets one email', async () => {
  const [friend, late] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const [claimed, waiting] = [await given(friend.user.email), await given(late.user.email)]
  await friend.ask('POST', `/api/audio_books/claim/${claimed.token}`)
  for (const { till } of [claimed, waiting]) {
    at.payments.giveBack(till.intent)
    await hearOf(at, till.intent, undefined, 'charge.refunded')
  }
  expect(await shelfOf(friend)).toEqual([])
  for (const { token } of [claimed, waiting])
    expect((await late.ask('POST', `/api/audio_books/claim/${token}`)).statusCode).toBe(404)
  const withdrawn = await at.shop.db.select().from(mails).where(eq(mails.kind, 'gift_withdrawn'))
  expect(withdrawn.map(({ recipient }) => recipient)).toEqual([friend.user.email])
  // A second call has no effect, and neither has a line that never became a gift because its buyer's account was
  // closed.
  const ofOrder = eq(orderLines.orderId, claimed.till.order)
  const [line] = await at.shop.db.select({ id: orderLines.id }).from(orderLines).where(ofOrder)
  for (const orderLineId of [line!.id, randomUUID()])
    expect(
      await takeBackGift(at.shop.db, { orderLineId, title: 'Given' }, at.shop.clock.now()),
    ).toBeUndefined()
})

test('GIFT-15: a message to a friend is stored, emailed and shown exactly as written', async () => {
  for (const message of [
    '<b>Hi</b> & "you"',
    'Zażółć 🎧\nline two',
    '   ',
    'x'.repeat(GIFT_MESSAGE_LENGTH),
  ]) {
    const [giver, friend] = [await aBuyer(at.shop), `friend-${randomUUID()}@post.example`]
    const book = { ...(await anAudioBook(at.shop)), kind: 'audio_books' as const, giftEmail: friend }
    const cart = await fillBag(giver, [book])
    const { items } = (await giver.ask('GET', `/api/carts/${cart}`)).json()
    const saved = await giver.ask('PATCH', `/api/cart_items/${items[0].uuid}`, { giftMessage: message })
    expect(saved.statusCode).toBe(200)
    const kept = message.trim() === '' ? null : message
    expect(saved.json().giftMessage).toBe(kept)
    const till = await checkOut(giver, cart)
    at.payments.pay(till.intent)
    await comeBack(giver, till)
    const [mail] = await at.shop.db.select().from(mails).where(eq(mails.recipient, friend))
    const data = mail!.data as { token: string; message?: string }
    expect(data.message ?? null).toBe(kept)
    const seen = (await at.shop.app.inject(`/api/audio_books/claim/${data.token}`)).json()
    expect(seen.giftMessage).toBe(kept)
  }
})

test('the message of a giver without a confirmed address is emailed without links; after confirmation it is unchanged', async () => {
  const bait = 'Your account is locked, log in at https://evil.example/x'
  const giver = await aBuyer(at.shop)
  const confirmedAt = at.shop.now()
  expect(await messageFrom(at.shop.db, giver.user.id, bait)).toBe('Your account is locked, log in at …')
  expect(await messageFrom(at.shop.db, null, bait)).toBe('Your account is locked, log in at …')
  await at.shop.db.update(users).set({ confirmedAt }).where(eq(users.id, giver.user.id))
  expect(await messageFrom(at.shop.db, giver.user.id, bait)).toBe(bait)
})

test('neither token nor code is stored, and guessing codes is limited', async () => {
  const { token, code } = await given('somebody@post.example')
  const stored = JSON.stringify(await at.shop.db.select().from(gifts))
  expect(stored).not.toContain(token)
  expect(stored).not.toContain(code.replaceAll('-', ''))
  const statuses = new Set<number>()
  for (let guess = 10; guess < 24; guess++)
    statuses.add((await at.shop.app.inject(`/api/audio_books/claim/0000-0000-0000-00${guess}`)).statusCode)
  expect(statuses).toEqual(new Set([404, 429]))
  // Over the limit the correct code is refused too, for viewing and claiming, and for visitors and accounts.
  expect((await at.shop.app.inject(`/api/audio_books/claim/${code}`)).statusCode).toBe(429)
  const buyer = await aBuyer(at.shop, { email: 'somebody@post.example' })
  expect((await buyer.ask('GET', `/api/audio_books/claim/${code}`)).statusCode).toBe(429)
  expect((await buyer.ask('POST', `/api/audio_books/claim/${code}`)).statusCode).toBe(429)
  expect(await shelfOf(buyer)).toEqual([])
  at.shop.clock.advance(3600)
  expect((await at.shop.app.inject(`/api/audio_books/claim/${code}`)).statusCode).toBe(200)
})

test('API-72 API-94: reports whether the account with an email owns a book, at most ten times a minute', async () => {
  const owner = await aBuyer(at.shop)
  const [book, eBook] = [await anAudioBook(at.shop), await anEBook(at.shop)]
  await inLibrary(at.shop, owner.user, book)
  const asked = async (path: string, email: string) => {
    const answer = await at.shop.app.inject({
      method: 'POST',
      url: `/api/${path}/purchased`,
      payload: { email },
    })
    return answer.statusCode === 200 ? answer.json() : answer.statusCode
  }
  expect(await asked(`audio_books/${book.slug}`, owner.user.email.toUpperCase())).toEqual({ purchased: true })
  expect(await asked(`audio_books/${book.id}`, owner.user.email)).toEqual({ purchased: true })
  expect(await asked(`e_books/${eBook.slug}`, owner.user.email)).toEqual({ purchased: false })
  expect(await asked(`audio_books/${book.slug}`, 'nobody@murmur.example')).toEqual({ purchased: false })
  expect(await asked('audio_books/no-such-book', owner.user.email)).toBe(404)
  const answers = new Set<unknown>()
  for (let guess = 0; guess < 10; guess++)
    answers.add(await asked(`audio_books/${book.slug}`, `g${guess}@b.example`))
  expect([...answers].at(-1)).toBe(429)
})

test('API-94: the limit counts per IP address, even across accounts', async () => {
  const shop = await testShop({ env: { DEMO: '0' } })
  const book = await anAudioBook(shop)
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    const buyer = await aBuyer(shop)
    for (let guess = 0; guess < 10; guess++) {
      const answer = await buyer.ask('POST', `/api/audio_books/${book.slug}/purchased`, {
        email: `g${guess}@b.example`,
      })
      statuses.push(answer.statusCode)
    }
  }
  expect(statuses).toEqual([...Array<number>(30).fill(200), ...Array<number>(10).fill(429)])
  await shop.close()
})

test('a given book is sent again with a new link until it is opened, taken back or refunded', async () => {
  const sentAgain = async (change: Partial<typeof gifts.$inferInsert>) => {
    const email = `${randomUUID()}@post.example`
    await given(email)
    if (Object.keys(change).length > 0)
      await at.shop.db.update(gifts).set(change).where(eq(gifts.email, email))
    const [gift] = await at.shop.db.select().from(gifts).where(eq(gifts.email, email))
    return sendGiftAgain(at.shop.db, at.shop, { orderLineId: gift!.orderLineId!, title: 'A book' })
  }
  const now = at.shop.clock.now()
  expect(await sentAgain({})).toBe(true)
  expect(await sentAgain({ claimedAt: now })).toBe(false)
  expect(await sentAgain({ takenBackAt: now })).toBe(false)
  expect(await sentAgain({ revokedAt: now })).toBe(false)
  expect(await sendGiftAgain(at.shop.db, at.shop, { orderLineId: randomUUID(), title: 'None' })).toBeNull()
})
