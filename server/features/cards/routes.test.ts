import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { activateCard, listActivations, redeemCard, seeCard } from '#contract/cards.ts'
import { DAY_MS } from '#contract/durations.ts'
import { BusinessClock } from '#server/clock.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { cardActivations, cards, outletLines } from '#server/db/schema/cards.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { contentRecords } from '#server/db/schema/pages.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { aBuyer, type Buyer, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary } from '#tests/support/builders.ts'
import { aBookshop, aCard, type Bookshop } from '#tests/support/cards.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'

let at: PayingShop
let corner: Bookshop
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  await at.shop.db.delete(rateLimits)
  corner = await aBookshop(at.shop)
})
afterAll(() => at.shop.close())

const shelfOf = async ({ user }: Buyer) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, user.id))).map(
    ({ bookId }) => bookId,
  )
const look = (code: string) =>
  at.shop.app.inject(`/api/audiobook-cards/${encodeURIComponent(code)}/card-apply-code`)
const redeem = (reader: Buyer, code: string) =>
  reader.ask('POST', '/api/audiobook-cards/redeem', { token: code })
const told = (answer: { statusCode: number; json(): { message: string } }) =>
  `${answer.statusCode} ${answer.json().message}`
const linesOf = (activationId: string) =>
  at.shop.db
    .select()
    .from(outletLines)
    .where(eq(outletLines.activationId, activationId))
    .orderBy(outletLines.at)

test('API-91 ENT-20: a bookshop activates a card by its number, in any spelling, with or without the buyer’s email address', async () => {
  const card = await aCard(at.shop)
  const typed = ` ${card.number.slice(0, 4)} ${card.number.slice(4, 8)}-${card.number.slice(8)} `
  const answer = await corner.ask('POST', '/api/audiobook-cards/activate', { token: typed, buyerEmail: null })
  expect(misfits(activateCard.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({
    activated: true,
    ending: card.number.slice(-4),
    price: 12,
    audioBook: { slug: card.book.slug },
    takenBackAt: null,
  })
  const again = await corner.ask('POST', '/api/audiobook-cards/activate', { token: card.number })
  expect(told(again)).toBe('422 card_already_activated')
  const found = await corner.ask('POST', '/api/audiobook-cards/find-activation', { token: card.number })
  expect(found.json()).toMatchObject({ id: answer.json().id, activatedAt: answer.json().activatedAt })
  const elsewhere = await aBookshop(at.shop, 'Elsewhere')
  const asked = await elsewhere.ask('POST', '/api/audiobook-cards/find-activation', { token: card.number })
  expect(asked.statusCode).toBe(404)
})

test('the buyer’s email address receives a receipt', async () => {
  const card = await aCard(at.shop)
  const payload = { token: card.number, buyerEmail: 'buyer@post.example' }
  expect((await corner.ask('POST', '/api/audiobook-cards/activate', payload)).statusCode).toBe(200)
  const [mail] = await at.shop.db.select().from(mails).where(eq(mails.recipient, 'buyer@post.example'))
  expect(mail).toMatchObject({ kind: 'card_receipt' })
  expect(JSON.stringify(mail!.data)).not.toContain(card.code)
})

test('RESL-06: a shop that requires the buyer’s email address sells no card without it, and names the missing field', async () => {
  const { db } = at.shop
  const require = (requiredPurchaserEmail: boolean) =>
    db
      .insert(contentRecords)
      .values({ name: 'settings', content: { requiredPurchaserEmail } })
      .onConflictDoUpdate({ target: contentRecords.name, set: { content: { requiredPurchaserEmail } } })
  const card = await aCard(at.shop)
  const activate = (buyerEmail?: string | null) =>
    corner.ask('POST', '/api/audiobook-cards/activate', {
      token: card.number,
      ...(buyerEmail === undefined ? {} : { buyerEmail }),
    })
  await require(true)
  try {
    for (const refused of [await activate(), await activate(null)]) {
      expect(refused.statusCode).toBe(422)
      expect(refused.json().violations).toEqual([
        { propertyPath: 'buyerEmail', message: 'Please add the buyer’s email.' },
      ])
    }
    expect(await db.$count(cardActivations, eq(cardActivations.cardId, card.id))).toBe(0)
    expect((await activate('needed@post.example')).statusCode).toBe(200)
  } finally {
    await require(false)
  }
})

test('deletes the buyer’s email address after twelve months and keeps the sale', async () => {
  const { db } = at.shop
  const card = await aCard(at.shop)
  const payload = { token: card.number, buyerEmail: 'a-year-ago@post.example' }
  const { id } = (await corner.ask('POST', '/api/audiobook-cards/activate', payload)).json()
  const kept = async () =>
    (await db.select().from(cardActivations).where(eq(cardActivations.id, id)))[0]!.buyerEmail
  const cleanUpAfter = (days: number) =>
    cleanUp({
      ...at.shop,
      clock: new BusinessClock(() => new Date(at.shop.clock.now().getTime() + days * DAY_MS)),
    })
  await cleanUpAfter(364)
  expect(await kept()).toBe('a-year-ago@post.example')
  await cleanUpAfter(366)
  expect(await kept()).toBeNull()
  expect(await linesOf(id)).toHaveLength(1)
})

test('a card’s number cannot redeem it, and its code cannot activate it', async () => {
  const card = await aCard(at.shop)
  const byCode = await corner.ask('POST', '/api/audiobook-cards/activate', { token: card.code })
  expect(byCode.statusCode).toBe(404)
  await corner.sell(card)
  expect((await look(card.number)).statusCode).toBe(404)
  expect((await redeem(await aBuyer(at.shop), card.number)).statusCode).toBe(404)
})

test('a card that was made for one bookshop cannot be sold by another', async () => {
  const card = await aCard(at.shop, { outletId: corner.outletId })
  const elsewhere = await aBookshop(at.shop, 'Elsewhere')
  const refused = await elsewhere.ask('POST', '/api/audiobook-cards/activate', { token: card.number })
  expect(told(refused)).toBe('422 card_of_another_bookshop')
  await corner.sell(card)
})

test('API-93 ENT-22 API-89: a code shows its title and bookshop, and whether it was redeemed', async () => {
  const book = await anAudioBook(at.shop, { spiSin: '9001000000999' })
  const card = await aCard(at.shop, { book })
  expect(told(await look(card.code))).toBe('422 card_not_activated')
  await corner.sell(card)
  for (const typed of [card.code, card.code.toLowerCase(), card.code.replaceAll('-', ' ')]) {
    const seen = await look(typed)
    expect(misfits(seeCard.reply, seen.json())).toEqual([])
    expect(seen.json()).toMatchObject({
      redeemed: false,
      outlet: { name: 'Corner House Books' },
      audioBook: { slug: book.slug },
    })
  }
  await redeem(await aBuyer(at.shop), card.code)
  const seen = await at.shop.app.inject(`/api/redemption_codes/${card.code}?spiSIN=9001000000999`)
  expect(seen.json()).toMatchObject({ redeemed: true, outlet: { name: 'Corner House Books' } })
})

test('API-92 RESL-04: redeeming adds the title to the caller’s library, once', async () => {
  const card = await aCard(at.shop)
  const [reader, other] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  expect(told(await redeem(reader, card.code))).toBe('422 card_not_activated')
  await corner.sell(card)
  const answer = await redeem(reader, card.code)
  expect(misfits(redeemCard.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({
    redeemed: true,
    audioBook: { slug: card.book.slug, inLibrary: true },
  })
  expect(await shelfOf(reader)).toEqual([card.book.id])
  expect(told(await redeem(other, card.code))).toBe('422 already_redeemed')
  expect(told(await redeem(reader, card.code))).toBe('422 redeemed_by_you')
  expect(await shelfOf(other)).toEqual([])
  expect((await reader.ask('GET', '/api/order_carts')).json()['hydra:totalItems']).toBe(0)
})

test('redeeming a title that the reader already owns does not spend the card', async () => {
  const card = await aCard(at.shop)
  const [owner, friend] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  await inLibrary(at.shop, owner.user, card.book)
  await corner.sell(card)
  expect(told(await redeem(owner, card.code))).toBe('422 already_owned')
  expect(await at.shop.db.$count(orders, eq(orders.userId, owner.user.id))).toBe(0)
  expect((await look(card.code)).json()).toMatchObject({ redeemed: false })
  expect((await redeem(friend, card.code)).statusCode).toBe(200)
})

test('API-90 RDM-29: on the page of one title the code of another redeems nothing', async () => {
  const book = await anAudioBook(at.shop, { spiSin: '9001000000888' })
  const card = await aCard(at.shop, { book })
  await corner.sell(card)
  const reader = await aBuyer(at.shop)
  const path = `/api/redemption_codes/add_to_library_with_code/${card.code}`
  const ofTitle = (spiSIN: string) => reader.ask('POST', path, { audioBook: { spiSIN } })
  expect((await ofTitle('9001000000777')).statusCode).toBe(404)
  expect(await shelfOf(reader)).toEqual([])
  expect((await ofTitle('9001000000888')).statusCode).toBe(200)
  expect(await shelfOf(reader)).toEqual([book.id])
})

test('a card redeems a title that is blocked in the reader’s country', async () => {
  const book = await anAudioBook(at.shop, { blockedCountries: ['GB'] })
  const card = await aCard(at.shop, { book })
  await corner.sell(card)
  const reader = await aBuyer(at.shop, { countryCode: 'GB' })
  expect((await redeem(reader, card.code)).statusCode).toBe(200)
  expect(await shelfOf(reader)).toEqual([book.id])
})

test('a card can be taken back within ten minutes, by the bookshop that sold it, unless it was redeemed', async () => {
  const [card, late, gone] = [await aCard(at.shop), await aCard(at.shop), await aCard(at.shop)]
  const takeBack = (by: Buyer, id: string) =>
    by.ask('POST', `/api/audiobook-cards/activations/${id}/take-back`)
  const id = await corner.sell(card)
  expect((await takeBack(await aBookshop(at.shop, 'Elsewhere'), id)).statusCode).toBe(404)
  const back = await takeBack(corner, id)
  expect(back.json()).toMatchObject({ activated: false, takeBackUntil: null })
  expect((await takeBack(corner, id)).json()).toEqual(back.json())
  expect((await linesOf(id)).map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['card', 480],
    ['card_taken_back', -480],
  ])
  expect(told(await look(card.code))).toBe('422 card_not_activated')
  await corner.sell(card)

  const redeemed = await corner.sell(gone)
  await redeem(await aBuyer(at.shop), gone.code)
  expect(told(await takeBack(corner, redeemed))).toBe('422 already_redeemed')

  const sold = await corner.sell(late)
  at.shop.clock.advance(600)
  expect(told(await takeBack(corner, sold))).toBe('422 too_late')
  const today = (await corner.ask('GET', '/api/audiobook-cards/activations')).json()
  expect(misfits(listActivations.reply, today)).toEqual([])
  expect(today['hydra:member'].map(({ id: each }: { id: string }) => each).slice(0, 2)).toEqual([
    sold,
    redeemed,
  ])
})

test('lists a bookshop’s own sales of a day in the shop’s time zone', async () => {
  const elsewhere = await aBookshop(at.shop, 'Elsewhere')
  // When summer time has begun, half past midnight in London is the previous day in UTC.
  const now = (instant: string) => new Date(instant).getTime() - at.shop.now().getTime()
  at.shop.clock.aheadMs = now('2026-06-10T22:30:00Z')
  await elsewhere.sell(await aCard(at.shop))
  at.shop.clock.aheadMs = now('2026-06-10T23:30:00Z')
  await elsewhere.sell(await aCard(at.shop))
  const today = (await elsewhere.ask('GET', '/api/audiobook-cards/activations')).json()
  expect(today['hydra:totalItems']).toBe(1)
  at.shop.clock.aheadMs = 0
})

test('codes cannot be guessed: after too many from one address or account, the response is 429 before any lookup', async () => {
  const card = await aCard(at.shop)
  await corner.sell(card)
  const early = await aBuyer(at.shop)
  const guesses = new Set<number>()
  for (let guess = 0; guess < 12; guess += 1) guesses.add((await look(`GUESS-${guess}`)).statusCode)
  expect(guesses).toEqual(new Set([404, 429]))
  expect((await look(card.code)).statusCode).toBe(429)
  expect((await redeem(early, card.code)).statusCode).toBe(429)
  at.shop.clock.advance(3601)
  expect((await look(card.code)).statusCode).toBe(200)

  const reader = await aBuyer(at.shop)
  for (let guess = 0; guess < 22; guess += 1)
    await at.shop.app.inject({
      method: 'POST',
      url: '/api/audiobook-cards/redeem',
      headers: { ...reader.headers, 'x-forwarded-for': `203.0.113.${guess}` },
      payload: { token: `GUESS-${guess}` },
    })
  const another = { ...reader.headers, 'x-forwarded-for': '203.0.113.200' }
  const payload = { token: card.code }
  const refused = await at.shop.app.inject({
    method: 'POST',
    url: '/api/audiobook-cards/redeem',
    headers: another,
    payload,
  })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('neither the code nor anything that redeems the card is stored', async () => {
  const card = await aCard(at.shop)
  await corner.sell(card)
  const stored = JSON.stringify([
    await at.shop.db.select().from(cards),
    await at.shop.db.select().from(cardActivations),
  ])
  expect(stored).not.toContain(card.code.replaceAll('-', ''))
})
