import { and, eq, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getOrder, type OrderMember } from '#contract/orders.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { orders, payments, refunds } from '#server/db/schema/orders.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { mailOfRefund, type RefundPlan, sendDueRefunds } from './refund-order-lines.ts'
import { aBuyer, hearOf, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aRecipient, give } from '#tests/support/gifts.ts'
import { ownersOrders, WHY } from '#tests/support/owners-orders.ts'

let at: PayingShop
let office: ReturnType<typeof ownersOrders>
beforeAll(async () => {
  at = await payingShop()
  office = ownersOrders(at)
})
afterEach(() => {
  at.payments.onCall = () => undefined
})
afterAll(() => at.shop.close())

test('a line that is given twice is refunded once', async () => {
  const buyer = await aBuyer(at.shop)
  const { number } = await office.bought(buyer, [await office.book('Once'), await office.book('Left alone')])
  const { said } = await office.command('refund', number, '--line', '1', '--line', '1', ...WHY)
  expect(said).toContain('£12.00 went back.')
  expect(said).not.toContain('£24.00')
})

test('an order without a payment at the provider is not reported as refunded', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, order } = await office.bought(buyer, [await office.book('Made up')])
  await at.shop.db.update(payments).set({ intentId: null }).where(eq(payments.orderId, order))
  await expect(office.command('refund', number, ...WHY)).rejects.toThrow(
    `${number} has no payment at the provider, so there is nothing to pay it back from.`,
  )
  expect((await office.command('show', number)).said).not.toContain('Money back')
})

test('twelve concurrent refunds of the same line refund it once', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, intent } = await office.bought(buyer, [
    await office.book('Wanted'),
    await office.book('Kept'),
  ])
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => office.command('refund', number, '--line', '1', ...WHY)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(reasons.filter((reason) => !/Wanted|has changed/.test(reason))).toEqual([])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
})

test('a refund takes back only the chosen line, once, shows the email, and notifies the buyer’s device', async () => {
  const buyer = await aBuyer(at.shop)
  const [one, two] = [await office.book('One'), await office.book('Two')]
  const { number, intent } = await office.bought(buyer, [one, two])
  const will = await office.command('refund', number, '--line', '2', '--because', 'it broke')
  expect(will).toMatchObject({ code: 1, said: expect.stringContaining('£12.00 goes back to who paid') })
  for (const part of [
    'Two, £12.00: it leaves the library.',
    'reads “Your money back for order',
    'Two is no longer in your library.',
  ])
    expect(will.said).toContain(part)
  expect(await office.libraryOf(buyer)).toEqual([one.id, two.id])

  expect((await office.command('refund', number, '--line', '2', ...WHY)).said).toContain('£12.00 went back.')
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await office.libraryOf(buyer)).toEqual([one.id])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
  const heard = await at.shop.db.select().from(feedEvents).where(eq(feedEvents.userId, buyer.user.id))
  expect(heard.at(-1)).toMatchObject({ data: { type: 'library' } })
  await expect(office.command('refund', number, '--line', '2', ...WHY)).rejects.toThrow(
    'Two went back already.',
  )
  await expect(office.command('refund', number, '--line', '9', ...WHY)).rejects.toThrow('has no line 9')
  expect((await office.command('show', number)).said).toMatch(
    /£12\.00 paid back[\s\S]*una, orders refund: £12\.00 back for Two, because it broke/,
  )

  const rest = await office.command('refund', number, ...WHY, '--json')
  expect(JSON.parse(rest.said)).toMatchObject({ result: { refund: { amountMinor: 1200, state: 'done' } } })
  expect([await office.libraryOf(buyer), at.payments.made.get(intent)!.refundedMinor]).toEqual([[], 2400])
  await expect(office.command('refund', number, ...WHY)).rejects.toThrow(/went back already/)
})

test('a refund without answer or refused stays owed, keeps the title in the library, and is sent once', async () => {
  const buyer = await aBuyer(at.shop)
  const title = await office.book('Slow')
  const { number, intent } = await office.bought(buyer, [title, await office.book('Other')])
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  const asked = await office.command('refund', number, '--line', '1', ...WHY)
  expect(asked.said).toContain('£12.00 is asked for; the running shop sends it')
  expect(await office.libraryOf(buyer)).toHaveLength(2)
  await expect(office.command('refund', number, '--line', '1', ...WHY)).rejects.toThrow(
    /on its way back already/,
  )
  at.payments.onCall = () => undefined
  at.shop.clock.advance(120)
  for (let twice = 0; twice < 2; twice++) await sendDueRefunds(at.shop)
  expect(await office.libraryOf(buyer)).not.toContain(title.id)
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
})

test('a goodwill refund pays a part or a line back, keeps the titles, and leaves the rest to be refunded', async () => {
  const buyer = await aBuyer(at.shop)
  const titles = [await office.book('Torn'), await office.book('Whole', 500)]
  const { number, order, intent } = await office.bought(buyer, titles)
  const both = await office.libraryOf(buyer)
  const back = async () =>
    (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.refundedMinor
  const part = await office.command('refund', number, '--line', '1', '--keep', '--amount', '3.00', ...WHY)
  expect(part.said).toContain('Torn, £12.00: the buyer keeps it.')
  expect(part.said).toContain('we’ve refunded £3.00')
  expect(part.said).not.toContain('no longer in your library')
  expect(part.said).toContain('£3.00 went back.')
  // The provider's webhook events arrive late and twice.
  for (let twice = 0; twice < 2; twice += 1) await hearOf(at, intent, undefined, 'charge.refunded')
  const line = await office.command('refund', number, '--line', '2', '--keep', ...WHY)
  expect(line.said).toContain('£5.00 went back.')
  expect([await back(), at.payments.made.get(intent)!.refundedMinor]).toEqual([800, 800])
  expect(await office.libraryOf(buyer)).toEqual(both)
  const kinds = (await office.mailsAbout(order)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'title_refunded')).toHaveLength(2)
  const rest = await office.command('refund', number, '--line', '1', ...WHY)
  expect(rest.said).toContain('£9.00 went back.')
  expect(await office.libraryOf(buyer)).toEqual([titles[1]!.id])
  await expect(office.command('refund', number, '--line', '2', '--keep', ...WHY)).rejects.toThrow(
    'went back already',
  )
  await expect(office.command('refund', number, '--line', '2', '--amount', '1.00', ...WHY)).rejects.toThrow(
    'it needs --keep',
  )
  await expect(
    office.command('refund', number, '--line', '2', '--keep', '--amount', '1,00', ...WHY),
  ).rejects.toThrow('--amount is an amount in pounds')
})

test('the buyer sees a goodwill refund at its line; one for several lines is divided by their prices', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, order, intent } = await office.bought(buyer, [
    await office.book('Torn', 1200),
    await office.book('Whole', 600),
  ])
  const shown = async () => {
    const answer = (await buyer.ask('GET', `/api/order_carts/${order}`)).json() as OrderMember
    expect(misfits(getOrder.reply, answer)).toEqual([])
    return answer.orderItems.map(({ title, refundedAt, goodwillRefunds }) => ({
      title,
      refundedAt,
      amounts: goodwillRefunds?.map(({ amount }) => amount),
    }))
  }
  await office.command('refund', number, '--line', '2', '--keep', '--amount', '2.00', ...WHY)
  expect(await shown()).toEqual([
    { title: 'Torn', refundedAt: null, amounts: undefined },
    { title: 'Whole', refundedAt: null, amounts: [2] },
  ])
  const list = (await buyer.ask('GET', '/api/order_carts')).json()['hydra:member'] as OrderMember[]
  const [refund] = list[0]!.orderItems[1]!.goodwillRefunds!
  expect(refund!.refundedAt.slice(0, 10)).toBe(at.shop.now().toISOString().slice(0, 10))
  await office.command('refund', number, '--line', '1', '--line', '2', '--keep', '--amount', '3.00', ...WHY)
  expect((await shown()).map(({ amounts }) => amounts)).toEqual([[2], [2, 1]])
  // The bank does not accept the first one.
  const [first] = await at.shop.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, order), eq(refunds.amountMinor, 200)))
  at.payments.failRefund(first!.providerId!)
  await hearOf(at, intent, undefined, 'refund.failed')
  expect((await shown()).map(({ amounts }) => amounts)).toEqual([[2], [1]])
})

test('a title whose refund fails returns to the library, even after a goodwill refund', async () => {
  const buyer = await aBuyer(at.shop)
  const titles = [await office.book('Gone', 500), await office.book('Stays', 500)]
  const { number, order, intent } = await office.bought(buyer, titles)
  await office.command('refund', number, '--line', '2', '--keep', ...WHY)
  await office.command('refund', number, '--line', '1', ...WHY)
  expect(await office.libraryOf(buyer)).toEqual([titles[1]!.id])
  const [gone] = await at.shop.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, order), eq(refunds.keepsLines, false)))
  at.payments.failRefund(gone!.providerId!)
  await hearOf(at, intent, undefined, 'refund.failed')
  expect(await office.libraryOf(buyer)).toEqual(titles.map(({ id }) => id))
})

test('a line that cost nothing stays when the other line is refunded in full', async () => {
  const buyer = await aBuyer(at.shop)
  const [dear, free] = [await office.book('Dear', 1500), await office.book('Cheap')]
  await at.shop.db.insert(discounts).values({ code: 'ONEFREE', type: 'cheapest_book', percent: 100 })
  const { number, order } = await office.bought(buyer, [dear, free], 'ONEFREE')
  await office.command('refund', number, '--line', '1', ...WHY)
  expect(await office.libraryOf(buyer)).toEqual([free.id])
  const rest = await office.command('refund', number, ...WHY)
  expect(rest.said).toContain('Cheap cost no money: it leaves the library.')
  expect(await office.libraryOf(buyer)).toEqual([])
  // The email promises the code again only for an order that cost nothing.
  const mail = (await office.mailsAbout(order)).find(({ kind }) => kind === 'title_taken_back')
  expect(mail!.data).toMatchObject({ givenBack: { kind: 'nothing' } })
})

test('a line of one penny can be refunded', async () => {
  const { number } = await office.bought(await aBuyer(at.shop), [
    await office.book('Dear', 1500),
    await office.book('Penny', 1),
  ])
  expect((await office.command('refund', number, '--line', '2', ...WHY)).said).toContain('£0.01 went back.')
})

test('a free audiobook, a code and a card become usable again when their title is taken back', async () => {
  const { db } = at.shop
  const reader = await aBuyer(at.shop)
  const lapsed = new Date(at.shop.clock.now().getTime() + 3_600_000)
  await db.insert(credits).values({ userId: reader.user.id, usableUntil: lapsed })
  const chosen = await anAudioBook(at.shop, { title: 'Chosen', priceMinor: 1200, edition: true })
  await reader.ask('POST', `/api/audio_books/add-to-library/${chosen.slug}`, {})
  expect(await office.libraryOf(reader)).toEqual([chosen.id])
  const taken = await office.command('refund', await office.takenBy(reader), ...WHY)
  expect(taken.said).toContain('They can choose another free audiobook')
  expect(await office.libraryOf(reader)).toEqual([])
  const [credit] = await db.select().from(credits).where(eq(credits.userId, reader.user.id))
  expect([credit!.spentAt, credit!.usableUntil > lapsed]).toEqual([null, true])
  const told = and(eq(mails.kind, 'title_taken_back'), like(mails.recipient, reader.user.email))
  expect((await db.select().from(mails).where(told))[0]!.data).toMatchObject({
    titles: ['Chosen'],
    givenBack: { kind: 'free audiobook' },
  })

  await db
    .insert(discounts)
    .values({ code: 'ONCE', type: 'all', percent: 100, uses: 1, oncePerAccount: true })
  const coded = await office.bought(reader, [await office.book('Coded')], 'ONCE')
  await expect(office.bought(await aBuyer(at.shop), [await office.book('Late')], 'ONCE')).rejects.toThrow()
  expect((await office.command('refund', coded.number, ...WHY)).said).toContain(
    'The use of ONCE is free again',
  )
  await office.bought(reader, [await office.book('Coded again')], 'ONCE')

  const outlet = await aBookshop(at.shop)
  const card = await aCard(at.shop)
  await outlet.sell(card)
  const owner = await aBuyer(at.shop)
  const redeem = () => owner.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })
  expect((await redeem()).statusCode).toBe(200)
  await office.command('refund', await office.takenBy(owner), ...WHY)
  expect(await office.libraryOf(owner)).toEqual([])
  const ofCard = and(eq(mails.kind, 'title_taken_back'), like(mails.recipient, owner.user.email))
  expect((await db.select().from(mails).where(ofCard))[0]!.data).toMatchObject({
    givenBack: { kind: 'card' },
  })
  expect((await redeem()).statusCode).toBe(200)
})

test('a title is taken back without an email if its order no longer has an address', async () => {
  const { db } = at.shop
  const reader = await aBuyer(at.shop)
  const usableUntil = new Date(at.shop.clock.now().getTime() + 3_600_000)
  await db.insert(credits).values({ userId: reader.user.id, usableUntil })
  const chosen = await anAudioBook(at.shop, { title: 'Left behind', priceMinor: 1200, edition: true })
  await reader.ask('POST', `/api/audio_books/add-to-library/${chosen.slug}`, {})
  const number = await office.takenBy(reader)
  const [order] = await db
    .update(orders)
    .set({ buyerEmail: '' })
    .where(eq(orders.number, number))
    .returning({ id: orders.id })
  await office.command('refund', number, ...WHY)
  expect(await office.libraryOf(reader)).toEqual([])
  expect(
    await db
      .select()
      .from(mails)
      .where(like(mails.key, `title_taken_back:${order!.id}:%`)),
  ).toEqual([])
})

test('taking a gift back restores no free audiobook that the giver chose the same title with', async () => {
  const { db } = at.shop
  const giver = await aBuyer(at.shop)
  const usableUntil = new Date(at.shop.clock.now().getTime() + 3_600_000)
  await db.insert(credits).values({ userId: giver.user.id, usableUntil })
  const title = await anAudioBook(at.shop, { title: 'Twice', priceMinor: 1200, edition: true })
  await giver.ask('POST', `/api/audio_books/add-to-library/${title.slug}`, {})
  await db.insert(discounts).values({ code: 'FORALL', type: 'all', percent: 100 })
  const given = await office.bought(giver, [{ ...title, giftEmail: aRecipient() }], 'FORALL')
  await office.command('refund', given.number, ...WHY)
  const [credit] = await db.select().from(credits).where(eq(credits.userId, giver.user.id))
  expect([credit!.bookId, credit!.spentAt !== null]).toEqual([title.id, true])
})

test('a goodwill refund may be the whole price of a title, but not of a membership', async () => {
  const buyer = await aBuyer(at.shop)
  const title = await office.bought(buyer, [await office.book('Torn')])
  const whole = await office.command('refund', title.number, '--keep', ...WHY)
  expect(whole.said).toContain('£12.00 went back.')
  const gift = await give(at, buyer, { giftEmail: aRecipient() })
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, gift.order))
  await expect(office.command('refund', order!.number, '--keep', ...WHY)).rejects.toThrow(
    'A membership ends when all of its money goes back',
  )
  const part = await office.command('refund', order!.number, '--keep', '--amount', '5.00', ...WHY)
  expect(part.said).toContain('£5.00 went back.')
})

test('a goodwill refund is at most what the lines cost and what is left of the order', async () => {
  const buyer = await aBuyer(at.shop)
  const { number } = await office.bought(buyer, [await office.book('Dear'), await office.book('Cheap', 500)])
  const keep = (amount: string, ...lines: string[]) =>
    office.command(
      'refund',
      number,
      ...lines.flatMap((line) => ['--line', line]),
      '--keep',
      '--amount',
      amount,
      ...WHY,
    )
  await expect(keep('5.01', '2')).rejects.toThrow('At most £5.00 can be refunded.')
  expect((await keep('5.00', '2')).said).toContain('£5.00 went back.')
  expect((await keep('10.00', '1')).said).toContain('£10.00 went back.')
  await expect(keep('2.01', '1')).rejects.toThrow('At most £2.00 can be refunded.')
  expect((await keep('2.00', '1')).said).toContain('£2.00 went back.')
})

test('the email about a refunded membership says whether the whole order went back, and so the membership has ended', () => {
  const { plans } = at.shop.config.details
  const [plan] = Object.values(plans)
  const ended = (refundedMinor: number, amountMinor: number) =>
    mailOfRefund(
      {
        order: { buyerEmail: 'nell@murmur.example', buyerName: 'Nell Hart', totalMinor: 800, refundedMinor },
        paid: [{ sold: { kind: 'membership', plan: plan!.id } }],
        unpaid: [],
        amountMinor,
        keepsLines: false,
      } as unknown as RefundPlan,
      plans,
    )
  expect(ended(0, 800)).toMatchObject({
    kind: 'membership_refunded',
    data: { ended: true, amountMinor: 800 },
  })
  expect(ended(300, 500)).toMatchObject({ data: { ended: true, firstName: 'Nell' } })
  expect(ended(0, 500)).toMatchObject({ data: { ended: false } })
})

test('goodwill that is owed but not sent yet is no longer left to refund, and the same amount can be owed again', async () => {
  const { number, intent } = await office.bought(await aBuyer(at.shop), [await office.book('Torn')])
  const keep = (amount: string) => office.command('refund', number, '--keep', '--amount', amount, ...WHY)
  expect((await keep('3.00')).said).toContain('£3.00 went back.')
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  for (let twice = 0; twice < 2; twice += 1) expect((await keep('3.00')).said).toContain('£3.00 is asked for')
  await expect(keep('3.01')).rejects.toThrow('At most £3.00 can be refunded.')
  at.payments.onCall = () => undefined
  at.shop.clock.advance(120)
  await sendDueRefunds(at.shop)
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(900)
})

test('taking back a title that cost nothing announces no money, and of a gift the giver gets no email', async () => {
  await at.shop.db.insert(discounts).values({ code: 'NOTHING', type: 'all', percent: 100 })
  const buyer = await aBuyer(at.shop)
  const own = await office.bought(buyer, [await office.book('Own')], 'NOTHING')
  expect((await office.command('refund', own.number, ...WHY)).said).not.toContain('Your money back')
  const gift = await office.bought(
    buyer,
    [{ ...(await office.book('Given')), giftEmail: aRecipient() }],
    'NOTHING',
  )
  await office.command('refund', gift.number, ...WHY)
  const kindsAbout = async (order: string) => (await office.mailsAbout(order)).map(({ kind }) => kind)
  expect(await kindsAbout(own.order)).toContain('title_taken_back')
  expect(await kindsAbout(gift.order)).not.toContain('title_taken_back')
})

test('a repeated webhook event restores no title whose price went back together with a goodwill refund', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, intent } = await office.bought(buyer, [await office.book('Torn')])
  await office.command('refund', number, '--keep', '--amount', '3.00', ...WHY)
  expect((await office.command('refund', number, ...WHY)).said).toContain('£9.00 went back.')
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await office.libraryOf(buyer)).toEqual([])
})
