import { and, eq, isNotNull, isNull, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getOrder, type OrderMember } from '#contract/orders.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { gifts } from '#server/db/schema/gifts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { orderLines, orders, payments, refunds, undecidedRefunds } from '#server/db/schema/orders.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { todoList } from '#server/checks/todo.ts'
import { sendDueRefunds } from '#server/features/checkout/refund-order-lines.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { typed } from '#tests/support/run-command.ts'
import { ordersCommand } from './orders.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterEach(() => {
  at.payments.onCall = () => undefined
})
afterAll(() => at.shop.close())

const WHY = ['--because', 'it broke', '--yes']
const command = (...argv: string[]) => typed(at.shop, ordersCommand, argv)

const libraryOf = async ({ user }: Buyer) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, user.id)))
    .map(({ bookId }) => bookId)
    .sort((one, two) => one - two)

async function bought(buyer: Buyer, titles: readonly (TestBook & { giftEmail?: string })[], code?: string) {
  const bag = titles.map((title) => ({ ...title, kind: 'audio_books' as const }))
  const till = await checkOut(buyer, await fillBag(buyer, bag), code)
  if (till.clientSecret) {
    at.payments.pay(till.intent, { last4: '4242' })
    await comeBack(buyer, till)
  }
  const [order] = await at.shop.db.select().from(orders).where(eq(orders.id, till.order))
  return { ...till, number: order!.number }
}
const mailsAbout = (order: string) =>
  at.shop.db
    .select()
    .from(mails)
    .where(like(mails.key, `%:${order}:%`))
const book = (title: string, priceMinor = 1200) => anAudioBook(at.shop, { title, priceMinor })
const takenBy = async ({ user }: Buyer) =>
  (await at.shop.db.select().from(orders).where(eq(orders.userId, user.id)))[0]!.number

test('a line that is given twice is refunded once', async () => {
  const buyer = await aBuyer(at.shop)
  const { number } = await bought(buyer, [await book('Once'), await book('Left alone')])
  const { said } = await command('refund', number, '--line', '1', '--line', '1', ...WHY)
  expect(said).toContain('£12.00 went back.')
  expect(said).not.toContain('£24.00')
})

test('an order without a payment at the provider is not reported as refunded', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, order } = await bought(buyer, [await book('Made up')])
  await at.shop.db.update(payments).set({ intentId: null }).where(eq(payments.orderId, order))
  await expect(command('refund', number, ...WHY)).rejects.toThrow(
    `${number} has no payment at the provider, so there is nothing to pay it back from.`,
  )
  expect((await command('show', number)).said).not.toContain('Money back')
})

test('twelve concurrent refunds of the same line refund it once', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, intent } = await bought(buyer, [await book('Wanted'), await book('Kept')])
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => command('refund', number, '--line', '1', ...WHY)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(reasons.filter((reason) => !/Wanted|has changed/.test(reason))).toEqual([])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
})

test('an order is found by number, buyer, title, payment and card, and shown with its history', async () => {
  const buyer = await aBuyer(at.shop)
  const order = await bought(buyer, [await book('The Salt Ledger')])
  for (const words of [
    order.number.toLowerCase(),
    buyer.user.email.slice(3),
    'salt led',
    order.intent,
    '4242',
  ])
    expect((await command('find', words)).said, words).toContain(`${order.number}  `)
  const { said } = await command('show', order.number)
  for (const part of [
    '£12.00 with £2.00 VAT, by card ending in 4242',
    '\n  1  £12.00  The Salt',
    'order_confirmed  waiting',
  ])
    expect(said).toContain(part)
  expect(said).not.toContain('Money back')
  expect(JSON.parse((await command('show', order.number, '--json')).said)).toMatchObject({
    order: { number: order.number },
    refunds: [],
  })
  await expect(command('show', 'M-1')).rejects.toThrow('There is no order M-1.')
})

test('a refund takes back only the chosen line, once, shows the email, and notifies the buyer’s device', async () => {
  const buyer = await aBuyer(at.shop)
  const [one, two] = [await book('One'), await book('Two')]
  const { number, intent } = await bought(buyer, [one, two])
  const will = await command('refund', number, '--line', '2', '--because', 'it broke')
  expect(will).toMatchObject({ code: 1, said: expect.stringContaining('£12.00 goes back to who paid') })
  for (const part of [
    'Two, £12.00: it leaves the library.',
    'reads “Your money back for order',
    'Two is no longer in your library.',
  ])
    expect(will.said).toContain(part)
  expect(await libraryOf(buyer)).toEqual([one.id, two.id])

  expect((await command('refund', number, '--line', '2', ...WHY)).said).toContain('£12.00 went back.')
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await libraryOf(buyer)).toEqual([one.id])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
  const heard = await at.shop.db.select().from(feedEvents).where(eq(feedEvents.userId, buyer.user.id))
  expect(heard.at(-1)).toMatchObject({ data: { type: 'library' } })
  await expect(command('refund', number, '--line', '2', ...WHY)).rejects.toThrow('Two went back already.')
  await expect(command('refund', number, '--line', '9', ...WHY)).rejects.toThrow('has no line 9')
  expect((await command('show', number)).said).toMatch(
    /£12\.00 paid back[\s\S]*una, orders refund: £12\.00 back for Two, because it broke/,
  )

  const rest = await command('refund', number, ...WHY, '--json')
  expect(JSON.parse(rest.said)).toMatchObject({ result: { refund: { amountMinor: 1200, state: 'done' } } })
  expect([await libraryOf(buyer), at.payments.made.get(intent)!.refundedMinor]).toEqual([[], 2400])
  await expect(command('refund', number, ...WHY)).rejects.toThrow(/went back already/)
})

test('a refund in the dashboard that fits two lines leaves both in the library until the owner chooses one', async () => {
  const buyer = await aBuyer(at.shop)
  const [one, two] = [await book('One', 999), await book('Two', 999)]
  const { number, intent, order } = await bought(buyer, [one, two, await book('Three', 500)])
  at.payments.giveBack(intent, 999)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, intent, undefined, 'charge.refunded')
  const list = todoList(at.shop, async () => [])
  expect(await libraryOf(buyer)).toHaveLength(3)
  expect((await list()).map(({ kind, what }) => [kind, what])).toEqual([
    [
      'refund',
      `£9.99 of order ${number} went back at your payment provider, and 2 of its lines cost that: 1, One; 2, Two.`,
    ],
  ])
  expect((await command('show', number)).said).toMatch(/£9\.99 paid back[\s\S]*open for which line/)
  expect((await buyer.ask('GET', `/api/order_carts/${order}`)).json().status).toBe('partly_refunded')
  await expect(command('refund', number, '--line', '1', ...WHY)).rejects.toThrow('has yet to say')
  await expect(command('assign', number, '--line', '3', ...WHY)).rejects.toThrow('No money of')

  at.shop.clock.advance(86_400)
  const will = await command('assign', number, '--line', '2', '--because', 'it broke')
  expect(will.said).toContain('£9.99 that went back already was for Two: it leaves the library.')
  expect(await libraryOf(buyer)).toHaveLength(3)
  expect((await command('assign', number, '--line', '2', ...WHY)).said).toContain('Two is taken back.')
  expect(await libraryOf(buyer)).not.toContain(two.id)
  expect(await list()).toEqual([])
  const mail = (await mailsAbout(order)).find(({ kind }) => kind === 'title_refunded')
  expect(mail!.data).toMatchObject({ titles: ['Two'], amountMinor: 999 })
  await expect(command('assign', number, '--line', '1', ...WHY)).rejects.toThrow('No money of')
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(999)
  const found = await at.shop.db.select().from(undecidedRefunds).where(eq(undecidedRefunds.orderId, order))
  const [line] = await at.shop.db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.orderId, order), isNotNull(orderLines.refundedAt)))
  expect(line!.refundedAt).toEqual(found[0]!.foundAt)
})

test('a second refund of the same price, or the rest of the order, decides which lines the first one was for', async () => {
  for (const [prices, second, left] of [
    [[999, 999, 500], 999, 1],
    [[999, 999, 999], 1998, 0],
  ] as const) {
    const buyer = await aBuyer(at.shop)
    const { intent, order } = await bought(
      buyer,
      await Promise.all(prices.map((price, each) => book(`Title ${each}`, price))),
    )
    for (const amount of [999, second]) {
      at.payments.giveBack(intent, amount)
      await hearOf(at, intent, undefined, 'charge.refunded')
    }
    expect(await libraryOf(buyer)).toHaveLength(left)
    expect(await todoList(at.shop, async () => [])()).toEqual([])
    const refundMails = (await mailsAbout(order)).filter(({ kind }) => kind === 'title_refunded')
    expect(refundMails.map(({ data }) => data)).toEqual([
      expect.objectContaining({ amountMinor: 999 + second }),
    ])
  }
})

test('an undecided refund that the bank does not accept leaves the list, and every title stays', async () => {
  const buyer = await aBuyer(at.shop)
  const { intent, number } = await bought(buyer, [await book('One', 999), await book('Two', 999)])
  at.payments.giveBack(intent, 999)
  await hearOf(at, intent, undefined, 'charge.refunded')
  const [refund] = await at.payments.refundsOf(intent)
  at.payments.failRefund(refund!.id)
  await hearOf(at, intent, undefined, 'charge.refund.updated')
  expect(await libraryOf(buyer)).toHaveLength(2)
  expect(await todoList(at.shop, async () => [])()).toEqual([])
  expect((await command('show', number)).said).not.toContain('open for which line')
})

test('a refund without answer or refused stays owed, keeps the title in the library, and is sent once', async () => {
  const buyer = await aBuyer(at.shop)
  const title = await book('Slow')
  const { number, intent } = await bought(buyer, [title, await book('Other')])
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  const asked = await command('refund', number, '--line', '1', ...WHY)
  expect(asked.said).toContain('£12.00 is asked for; the running shop sends it')
  expect(await libraryOf(buyer)).toHaveLength(2)
  await expect(command('refund', number, '--line', '1', ...WHY)).rejects.toThrow(/on its way back already/)
  at.payments.onCall = () => undefined
  at.shop.clock.advance(120)
  for (let twice = 0; twice < 2; twice++) await sendDueRefunds(at.shop)
  expect(await libraryOf(buyer)).not.toContain(title.id)
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(1200)
})

test('a goodwill refund pays a part or a line back, keeps the titles, and leaves the rest to be refunded', async () => {
  const buyer = await aBuyer(at.shop)
  const titles = [await book('Torn'), await book('Whole', 500)]
  const { number, order, intent } = await bought(buyer, titles)
  const both = await libraryOf(buyer)
  const back = async () =>
    (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.refundedMinor
  const part = await command('refund', number, '--line', '1', '--keep', '--amount', '3.00', ...WHY)
  expect(part.said).toContain('Torn, £12.00: the buyer keeps it.')
  expect(part.said).toContain('we’ve refunded £3.00')
  expect(part.said).not.toContain('no longer in your library')
  expect(part.said).toContain('£3.00 went back.')
  // The provider's webhook events arrive late and twice.
  for (let twice = 0; twice < 2; twice += 1) await hearOf(at, intent, undefined, 'charge.refunded')
  const line = await command('refund', number, '--line', '2', '--keep', ...WHY)
  expect(line.said).toContain('£5.00 went back.')
  expect([await back(), at.payments.made.get(intent)!.refundedMinor]).toEqual([800, 800])
  expect(await libraryOf(buyer)).toEqual(both)
  const kinds = (await mailsAbout(order)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'title_refunded')).toHaveLength(2)
  const rest = await command('refund', number, '--line', '1', ...WHY)
  expect(rest.said).toContain('£9.00 went back.')
  expect(await libraryOf(buyer)).toEqual([titles[1]!.id])
  await expect(command('refund', number, '--line', '2', '--keep', ...WHY)).rejects.toThrow(
    'went back already',
  )
  await expect(command('refund', number, '--line', '2', '--amount', '1.00', ...WHY)).rejects.toThrow(
    'it needs --keep',
  )
  await expect(
    command('refund', number, '--line', '2', '--keep', '--amount', '1,00', ...WHY),
  ).rejects.toThrow('--amount is an amount in pounds')
})

test('the buyer sees a goodwill refund at its line; one for several lines is divided by their prices', async () => {
  const buyer = await aBuyer(at.shop)
  const { number, order, intent } = await bought(buyer, [await book('Torn', 1200), await book('Whole', 600)])
  const shown = async () => {
    const answer = (await buyer.ask('GET', `/api/order_carts/${order}`)).json() as OrderMember
    expect(misfits(getOrder.reply, answer)).toEqual([])
    return answer.orderItems.map(({ title, refundedAt, goodwillRefunds }) => ({
      title,
      refundedAt,
      amounts: goodwillRefunds?.map(({ amount }) => amount),
    }))
  }
  await command('refund', number, '--line', '2', '--keep', '--amount', '2.00', ...WHY)
  expect(await shown()).toEqual([
    { title: 'Torn', refundedAt: null, amounts: undefined },
    { title: 'Whole', refundedAt: null, amounts: [2] },
  ])
  const list = (await buyer.ask('GET', '/api/order_carts')).json()['hydra:member'] as OrderMember[]
  const [refund] = list[0]!.orderItems[1]!.goodwillRefunds!
  expect(refund!.refundedAt.slice(0, 10)).toBe(at.shop.now().toISOString().slice(0, 10))
  await command('refund', number, '--line', '1', '--line', '2', '--keep', '--amount', '3.00', ...WHY)
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
  const titles = [await book('Gone', 500), await book('Stays', 500)]
  const { number, order, intent } = await bought(buyer, titles)
  await command('refund', number, '--line', '2', '--keep', ...WHY)
  await command('refund', number, '--line', '1', ...WHY)
  expect(await libraryOf(buyer)).toEqual([titles[1]!.id])
  const [gone] = await at.shop.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.orderId, order), eq(refunds.keepsLines, false)))
  at.payments.failRefund(gone!.providerId!)
  await hearOf(at, intent, undefined, 'refund.failed')
  expect(await libraryOf(buyer)).toEqual(titles.map(({ id }) => id))
})

test('a line that cost nothing stays when the other line is refunded in full', async () => {
  const buyer = await aBuyer(at.shop)
  const [dear, free] = [await book('Dear', 1500), await book('Cheap')]
  await at.shop.db.insert(discounts).values({ code: 'ONEFREE', type: 'cheapest_book', percent: 100 })
  const { number } = await bought(buyer, [dear, free], 'ONEFREE')
  await command('refund', number, '--line', '1', ...WHY)
  expect(await libraryOf(buyer)).toEqual([free.id])
  const rest = await command('refund', number, ...WHY)
  expect(rest.said).toContain('Cheap cost no money: it leaves the library.')
  expect(await libraryOf(buyer)).toEqual([])
})

test('a line of one penny can be refunded', async () => {
  const { number } = await bought(await aBuyer(at.shop), [await book('Dear', 1500), await book('Penny', 1)])
  expect((await command('refund', number, '--line', '2', ...WHY)).said).toContain('£0.01 went back.')
})

test('a free audiobook, a code and a card become usable again when their title is taken back', async () => {
  const { db } = at.shop
  const reader = await aBuyer(at.shop)
  const lapsed = new Date(at.shop.clock.now().getTime() + 3_600_000)
  await db.insert(credits).values({ userId: reader.user.id, usableUntil: lapsed })
  const chosen = await anAudioBook(at.shop, { title: 'Chosen', priceMinor: 1200, edition: true })
  await reader.ask('POST', `/api/audio_books/add-to-library/${chosen.slug}`, {})
  expect(await libraryOf(reader)).toEqual([chosen.id])
  const taken = await command('refund', await takenBy(reader), ...WHY)
  expect(taken.said).toContain('They can choose another free audiobook')
  expect(await libraryOf(reader)).toEqual([])
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
  const coded = await bought(reader, [await book('Coded')], 'ONCE')
  await expect(bought(await aBuyer(at.shop), [await book('Late')], 'ONCE')).rejects.toThrow()
  expect((await command('refund', coded.number, ...WHY)).said).toContain('The use of ONCE is free again')
  await bought(reader, [await book('Coded again')], 'ONCE')

  const outlet = await aBookshop(at.shop)
  const card = await aCard(at.shop)
  await outlet.sell(card)
  const owner = await aBuyer(at.shop)
  const redeem = () => owner.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })
  expect((await redeem()).statusCode).toBe(200)
  await command('refund', await takenBy(owner), ...WHY)
  expect(await libraryOf(owner)).toEqual([])
  const ofCard = and(eq(mails.kind, 'title_taken_back'), like(mails.recipient, owner.user.email))
  expect((await db.select().from(mails).where(ofCard))[0]!.data).toMatchObject({
    givenBack: { kind: 'card' },
  })
  expect((await redeem()).statusCode).toBe(200)
})

test('resend sends the confirmation again; deliver adds missing titles and sends a gift with a new link', async () => {
  const { db } = at.shop
  const buyer = await aBuyer(at.shop)
  const [own, given] = [await book('Own'), await book('Given')]
  const friend = 'friend-of-una@murmur.example'
  const { number, order } = await bought(buyer, [own, { ...given, giftEmail: friend }])
  const again = await command('resend', number, ...WHY)
  expect(again.said).toContain(`${buyer.user.email} reads “Your Murmur order ${number}”:`)
  const confirmations = await db
    .select()
    .from(mails)
    .where(like(mails.key, `order_confirmed:${order}%`))
  expect(confirmations.map(({ data }) => data)).toEqual([confirmations[0]!.data, confirmations[0]!.data])

  await db.delete(libraryEntries).where(eq(libraryEntries.userId, buyer.user.id))
  const [before] = await db.select().from(gifts).where(eq(gifts.email, friend))
  expect((await command('deliver', number, ...WHY)).said).toMatch(/Own: delivered\nGiven: sent again$/)
  expect(await libraryOf(buyer)).toEqual([own.id])
  const [after] = await db.select().from(gifts).where(eq(gifts.email, friend))
  expect(after!.tokenHash).not.toBe(before!.tokenHash)
  const waiting = and(eq(mails.kind, 'gift_book'), eq(mails.recipient, friend), isNull(mails.failedAt))
  expect(await db.$count(mails, waiting)).toBe(1)
  expect((await command('deliver', number, ...WHY)).said).toContain('Own: there already')
  await db.update(gifts).set({ email: 'right@murmur.example' }).where(eq(gifts.id, before!.id))
  const { said } = await command('show', number)
  expect(said).toContain(`Given, a gift for ${friend}, corrected to right@murmur.example`)
  expect(said).toMatch(/gift_book /)
})

test('deliver processes an order that was paid but whose webhook event was lost', async () => {
  const buyer = await aBuyer(at.shop)
  const title = { ...(await book('Lost')), kind: 'audio_books' as const }
  const till = await checkOut(buyer, await fillBag(buyer, [title]))
  const { number } = (await at.shop.db.select().from(orders).where(eq(orders.id, till.order)))[0]!
  expect((await command('deliver', number, ...WHY)).said).toContain('It is not paid: open.')
  at.payments.pay(till.intent)
  expect((await command('deliver', number, ...WHY)).said).toContain('It was paid, and is delivered.')
  expect(await libraryOf(buyer)).toEqual([title.id])
})
