import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { listStatements, seeStatement } from '#contract/outlets.ts'
import { outletLines, outletReaders, outletStatements } from '#server/db/schema/cards.ts'
import { redeem } from '../cards/redemption.ts'
import { activate, takeBack } from '#server/features/cards/point-of-sale.ts'
import { createOrder, payOrder } from '#server/features/orders/service.ts'
import { refundOrder } from '#server/features/orders/refunds-and-disputes.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { mails } from '#server/db/schema/mails.ts'
import { aBuyer, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { anAudioBook, aUser, type TestBook, signedIn } from '#tests/support/builders.ts'
import { aBookshop, aCard, type Bookshop, type TestCard } from '#tests/support/cards.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { randomNumbers } from '#tests/support/random.ts'
import { soon } from '#tests/support/wait-for.ts'
import { closeOutlet, runOutletCalendar } from './scheduled-statements.ts'
import { changeOutlet } from './service.ts'
import { selectStatements, sumBetween, sumsOf } from './queries.ts'
import { lockOrder } from '../orders/queries.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const HOUR = 3_600_000
/** Rounds half up. Uses BigInt, so that it is calculated differently from the shop's code. */
const share = (minor: number, percent: number): number =>
  Number((BigInt(minor) * BigInt(percent) * 2n + 100n) / 200n)
const londonMonth = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
})
const monthOf = (time: Date) => londonMonth.format(time)

interface Sum {
  cards: number
  owed: number
  purchases: number
  commission: number
}

const vatOf = (priceMinor: number) => Math.round(priceMinor / 6)
const bought = (userId: string, { book, priceMinor }: { book: TestBook; priceMinor: number }) =>
  at.shop.db.transaction(async (tx) => {
    const line = {
      sold: { kind: 'title', bookId: book.id, format: 'audio_book' },
      title: 'A title',
      originalMinor: priceMinor,
      priceMinor,
      vatPercent: 20,
      vatMinor: vatOf(priceMinor),
      reduced: false,
      gift: null,
      itemId: null,
    } as const
    const whole = { totalMinor: priceMinor, vatMinor: line.vatMinor, beforeMinor: priceMinor }
    const frozen = await createOrder(tx, {
      basket: { lines: [line], ...whole, code: null },
      source: null,
      buyer: { userId, country: 'GB' },
      waiver: true,
      now: at.shop.clock.now(),
    })
    await payOrder(tx, at.shop, frozen, { type: 'card', last4: '4242' })
    return frozen
  })

class Trade {
  readonly books = new Map<string, Sum>()
  readonly readers: { id: string; outlet: number | null; until: number; paid: boolean; owns: Set<number> }[] =
    []
  readonly sold: { card: TestCard; outlet: number }[] = []
  readonly bought: {
    order: string
    total: number
    outlet: number | null
    commission: number
    reader: number
    book: number
  }[] = []
  readonly random = randomNumbers()

  readonly shops: readonly Bookshop[]
  readonly titles: readonly { book: TestBook; priceMinor: number }[]

  constructor(shops: Trade['shops'], titles: Trade['titles']) {
    this.shops = shops
    this.titles = titles
  }

  pick = (count: number) => Math.floor(this.random() * count)
  sum(outlet: number): Sum {
    const key = `${outlet} ${monthOf(at.shop.clock.now())}`
    const sum = this.books.get(key) ?? { cards: 0, owed: 0, purchases: 0, commission: 0 }
    this.books.set(key, sum)
    return sum
  }

  async sell(outlet = this.pick(this.shops.length), isTakenBack = this.random() < 0.15): Promise<void> {
    const { book, priceMinor } = this.titles[this.pick(this.titles.length)]!
    const card = await aCard(at.shop, { book })
    const { outletId, user } = this.shops[outlet]!
    const { activation } = await activate(at.shop, {
      token: card.number,
      outletId,
      userId: user.id,
      address: '2001:db8::1',
      buyerEmail: null,
    })
    const sum = this.sum(outlet)
    if (isTakenBack) {
      await takeBack(at.shop, { id: activation.id, outletId })
      return
    }
    sum.cards += 1
    sum.owed += share(priceMinor, 40)
    this.sold.push({ card, outlet })
  }

  /** Ensures that each bookshop has something to state in each month. */
  async beginMonth(): Promise<void> {
    for (const outlet of this.shops.keys()) await this.sell(outlet, false)
  }

  async redeemOne(): Promise<void> {
    const [next] = this.sold.splice(this.pick(this.sold.length), 1)
    if (!next) return
    const isNew = this.readers.length < 3 || this.random() < 0.4
    if (isNew)
      this.readers.push({
        id: (await aUser(at.shop)).id,
        outlet: null,
        until: 0,
        paid: false,
        owns: new Set(),
      })
    const reader = isNew ? this.readers.at(-1)! : this.readers[this.pick(this.readers.length)]!
    if (reader.owns.has(next.card.book.id)) return
    await redeem(at.shop, {
      code: next.card.code,
      spiSin: undefined,
      address: '2001:db8::2',
      userId: reader.id,
      country: 'GB',
    })
    reader.owns.add(next.card.book.id)
    if (reader.paid || reader.outlet !== null) return
    reader.outlet = next.outlet
    const until = at.shop.clock.now()
    until.setUTCMonth(until.getUTCMonth() + 24)
    reader.until = until.getTime()
  }

  async buy(): Promise<void> {
    if (this.random() < 0.1)
      this.readers.push({
        id: (await aUser(at.shop)).id,
        outlet: null,
        until: 0,
        paid: false,
        owns: new Set(),
      })
    const index = this.pick(this.readers.length)
    const reader = this.readers[index]
    const { book, priceMinor } = this.titles[this.pick(this.titles.length)]!
    if (!reader || reader.owns.has(book.id)) return
    const vatMinor = vatOf(priceMinor)
    const now = at.shop.clock.now()
    const order = await bought(reader.id, { book, priceMinor })
    reader.owns.add(book.id)
    reader.paid = true
    const earns = reader.outlet !== null && now.getTime() < reader.until
    const commission = earns ? share(priceMinor - vatMinor, 10) : 0
    if (earns) {
      this.sum(reader.outlet!).purchases += 1
      this.sum(reader.outlet!).commission += commission
    }
    const outlet = earns ? reader.outlet : null
    this.bought.push({ order: order.id, total: priceMinor, outlet, commission, reader: index, book: book.id })
  }

  async refund(): Promise<void> {
    const [back] = this.bought.splice(this.pick(this.bought.length), 1)
    if (!back) return
    await at.shop.db.transaction(async (tx) => {
      await refundOrder(tx, at.shop, (await lockOrder(tx, back.order))!, back.total)
    })
    this.readers[back.reader]!.owns.delete(back.book)
    if (back.outlet === null) return
    this.sum(back.outlet).purchases -= 1
    this.sum(back.outlet).commission -= back.commission
  }
}

/** Starts before the clocks change in spring and covers months of 28 to 31 days. */
const [FIRST_DAY, LAST_DAY] = ['2026-02-26T12:00:00Z', process.env.LONG ? '2037-07-10' : '2026-07-10']

test(
  'a statement matches the sales, purchases and refunds of its month to the penny',
  { timeout: process.env.LONG ? 3_600_000 : 600_000 },
  async () => {
    const shops = [await aBookshop(at.shop, 'Corner House Books'), await aBookshop(at.shop, 'The Other One')]
    const titles: { book: TestBook; priceMinor: number }[] = []
    for (const priceMinor of [499, 799, 851, 999, 1001, 1200, 1499, 1733, 1999, 2503])
      titles.push({ book: await anAudioBook(at.shop, { priceMinor, availableAsCard: true }), priceMinor })
    const trade = new Trade(shops, titles)
    const deeds = ['sell', 'sell', 'redeemOne', 'buy', 'buy', 'refund'] as const
    const start = at.shop.now()
    at.shop.clock.set(FIRST_DAY)
    let month = monthOf(at.shop.clock.now())
    let complete = 0
    await trade.beginMonth()
    while (at.shop.clock.now() < new Date(LAST_DAY)) {
      at.shop.clock.set(new Date(at.shop.clock.now().getTime() + trade.random() * 60 * HOUR))
      if (monthOf(at.shop.clock.now()) !== month) {
        month = monthOf(at.shop.clock.now())
        complete += 1
        await runOutletCalendar(at.shop)
        await runOutletCalendar(at.shop)
        await trade.beginMonth()
      }
      await trade[deeds[trade.pick(deeds.length)]!]()
    }
    const wanted = [...trade.books].filter(([key]) => !key.endsWith(month))
    expect(wanted).toHaveLength(complete * shops.length)
    for (const [outlet, { outletId }] of shops.entries()) {
      const statements = await selectStatements(at.shop.db, outletId)
      const sums = await sumsOf(
        at.shop.db,
        statements.map(({ id }) => id),
      )
      const stated = statements.map(({ id, from }) => {
        const { cards, owedMinor, purchases, commissionMinor } = sums.get(id)!
        return [from.slice(0, 7), { cards, owed: owedMinor, purchases, commission: commissionMinor }] as const
      })
      const ours = wanted
        .filter(([key]) => key.startsWith(`${outlet} `))
        .map(([key, sum]) => [key.slice(2), sum] as const)
      expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(ours))
    }
    at.shop.clock.set(start)
  },
)

test('who redeems a card is attributed to its bookshop for 24 months, unless they had paid here before', async () => {
  at.shop.clock.set('2026-05-31T10:00:00Z')
  const desk = await aBookshop(at.shop, 'Two Years')
  const [came, known] = [await aUser(at.shop), await aUser(at.shop)]
  const title = async () => ({ book: await anAudioBook(at.shop, { priceMinor: 1200 }), priceMinor: 1200 })
  await bought(known.id, await title())
  for (const { id } of [came, known]) {
    const card = await aCard(at.shop)
    await desk.sell(card)
    const from = { spiSin: undefined, address: '2001:db8::3', country: 'GB' }
    await redeem(at.shop, { ...from, code: card.code, userId: id })
  }
  const earned = async (instant: string) => {
    at.shop.clock.set(instant)
    for (const { id } of [came, known]) await bought(id, await title())
    const ever = { begins: new Date('2026-01-01T00:00:00Z'), ends: new Date('2030-01-01T00:00:00Z') }
    const { purchases, commissionMinor } = await sumBetween(at.shop.db, desk.outletId, ever)
    return [purchases, commissionMinor]
  }
  expect(await earned('2028-05-31T09:59:00Z')).toEqual([1, 100])
  expect(await earned('2028-05-31T10:01:00Z')).toEqual([1, 100])
})

test('a statement is mailed, is available to the bookshop with its files, and names no reader', async () => {
  await at.shop.db.delete(rateLimits)
  at.shop.clock.set('2026-09-14T10:00:00Z')
  const desk = await aBookshop(at.shop, 'Harbour Books')
  const card = await aCard(at.shop)
  await desk.sell(card)
  const reader = await aBuyer(at.shop, { firstName: 'Isolde', lastName: 'Quenby' })
  await reader.ask('POST', '/api/audiobook-cards/redeem', { token: card.code })
  const account = (await desk.ask('GET', '/api/outlet/account')).json()
  expect(account).toMatchObject({
    from: '2026-09-01',
    to: '2026-09-30',
    cards: 1,
    sold: 12,
    owed: 4.8,
    vat: 0.8,
    keeps: 7.2,
  })
  // Half past eleven in UTC on the 30th is the first of October in London.
  at.shop.clock.set('2026-09-30T22:30:00Z')
  await runOutletCalendar(at.shop)
  expect(await at.shop.db.$count(outletStatements, eq(outletStatements.outletId, desk.outletId))).toBe(0)
  at.shop.clock.set('2026-09-30T23:30:00Z')
  await Promise.all([runOutletCalendar(at.shop), runOutletCalendar(at.shop)])
  const headers = await signedIn(at.shop, desk.user)
  const get = (url: string) => at.shop.app.inject({ url, headers })
  const list = (await get('/api/outlet/statements')).json()
  expect(misfits(listStatements.reply, list)).toEqual([])
  const [statement, ...others] = list['hydra:member']
  expect(others).toEqual([])
  expect(statement).toMatchObject({
    from: '2026-09-01',
    to: '2026-09-30',
    dueOn: '2026-10-30',
    cards: 1,
    toPay: 4.8,
  })
  const one = (await get(`/api/outlet/statements/${statement.id}`)).json()
  expect(misfits(seeStatement.reply, one)).toEqual([])
  expect(one.lines).toMatchObject([
    { kind: 'card', ending: card.number.slice(-4), of: 12, percent: 60, amount: 4.8 },
  ])
  const sent = await at.shop.db.select().from(mails).where(eq(mails.recipient, desk.user.email))
  expect(sent.filter(({ kind }) => kind === 'outlet_statement')).toHaveLength(1)
  const csv = await at.shop.app.inject(statement.csv)
  expect(csv.body).toContain(`,${card.number.slice(-4)},12,60,4.8,0.8`)
  const pdf = await at.shop.app.inject(statement.pdf)
  expect([pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
    'application/pdf',
    '%PDF-',
  ])
  for (const told of [JSON.stringify(one), JSON.stringify(sent), csv.body])
    for (const secret of ['Isolde', 'Quenby', reader.user.email]) expect(told).not.toContain(secret)
  expect((await at.shop.app.inject(statement.pdf.split('?')[0])).statusCode).toBe(403)
  const elsewhere = await aBookshop(at.shop, 'Elsewhere')
  expect((await elsewhere.ask('GET', `/api/outlet/statements/${statement.id}`)).statusCode).toBe(404)
})

test('new terms apply from the next card and the next purchase on, and change no earlier line', async () => {
  await at.shop.db.delete(rateLimits)
  at.shop.clock.set('2026-10-05T10:00:00Z')
  const desk = await aBookshop(at.shop, 'Long Standing')
  await at.shop.db.execute(`update outlets set slug = 'long-standing' where id = '${desk.outletId}'`)
  const cards = [await aCard(at.shop), await aCard(at.shop), await aCard(at.shop)] as const
  const { outletId, user } = desk
  const sell = async ({ number: token }: TestCard) => {
    at.shop.clock.advance(60)
    const sale = { token, outletId, userId: user.id, address: '2001:db8::3', buyerEmail: null }
    return (await activate(at.shop, sale)).activation.id
  }
  await sell(cards[0])
  at.shop.clock.set('2026-11-02T10:00:00Z')
  await runOutletCalendar(at.shop)
  const back = await sell(cards[1])
  const change = (more: object) => changeOutlet(at.shop.db, { slug: 'long-standing', ...more }, at.shop.now())
  expect(await change({ discountPercent: 50 })).toMatchObject({ discountPercent: 50, commissionPercent: 10 })
  await sell(cards[2])
  at.shop.clock.advance(60)
  await takeBack(at.shop, { id: back, outletId })
  const lines = await at.shop.db
    .select()
    .from(outletLines)
    .where(eq(outletLines.outletId, outletId))
    .orderBy(outletLines.at)
  expect(lines.map(({ percent, amountMinor }) => [percent, amountMinor])).toEqual([
    [60, 480],
    [60, 480],
    [50, 600],
    [60, -480],
  ])

  // The account with the old address is logged out and has no valid password.
  await expect(change({ email: (await aUser(at.shop)).email })).rejects.toThrow(/has an account already/)
  const headers = await signedIn(at.shop, user)
  const see = async () => (await at.shop.app.inject({ url: '/api/outlet/account', headers })).statusCode
  expect(await see()).toBe(200)
  await change({ email: 'new-desk@post.example' })
  await soon(async () => expect(await see()).toBe(401))
  const logIn = { email: 'new-desk@post.example', password: user.password }
  const answer = await at.shop.app.inject({ method: 'POST', url: '/api/login', payload: logIn })
  expect(answer.statusCode).toBe(401)
  await expect(change({ email: 'nobody' })).rejects.toThrow('isn’t an email address')
})

test('a closed bookshop cannot sell and gets its last statement at once; its cards stay valid', async () => {
  await at.shop.db.delete(rateLimits)
  at.shop.clock.set('2026-11-14T10:00:00Z')
  const desk = await aBookshop(at.shop, 'Closing Down')
  await at.shop.db.execute(`update outlets set slug = 'closing-down' where id = '${desk.outletId}'`)
  const [card, unsold] = [await aCard(at.shop), await aCard(at.shop)]
  await desk.sell(card)
  const last = await closeOutlet(at.shop, 'closing-down')
  expect(last).toMatchObject({ from: '2026-11-01', to: '2026-11-14' })
  const refused = await desk.ask('POST', '/api/audiobook-cards/activate', { token: unsold.number })
  expect(refused.json()).toMatchObject({ status: 422, reason: CARD_REFUSALS.bookshopClosed })
  const reader = await aBuyer(at.shop)
  const redeem = (code: string) => reader.ask('POST', '/api/audiobook-cards/redeem', { token: code })
  expect((await redeem(card.code)).statusCode).toBe(200)
  // A closed bookshop does not prevent its readers from being attributed to another.
  const [next, other] = [await aBookshop(at.shop, 'Next Door'), await aCard(at.shop)]
  await next.sell(other)
  await redeem(other.code)
  const { id } = reader.user
  const whose = await at.shop.db.select().from(outletReaders).where(eq(outletReaders.userId, id))
  expect(whose.map(({ outletId }) => outletId)).toEqual([next.outletId])
})

test('the bookshop sees new cards in their month and receives an email after it', async () => {
  await at.shop.db.delete(rateLimits)
  // Existing titles are recorded in the month before.
  at.shop.clock.set('2026-12-10T10:00:00Z')
  await runOutletCalendar(at.shop)
  at.shop.clock.set('2027-01-10T10:00:00Z')
  const desk = await aBookshop(at.shop, 'Newcomers')
  const book = await anAudioBook(at.shop, { availableAsCard: true, title: 'Nine Winters', priceMinor: 1400 })
  await runOutletCalendar(at.shop)
  const headers = await signedIn(at.shop, desk.user)
  const added = (await at.shop.app.inject({ url: '/api/outlet/additions', headers })).json()
  expect(added['hydra:member']).toMatchObject([{ id: book.id, price: 14, audioBook: { slug: book.slug } }])
  const toDesk = () => at.shop.db.select().from(mails).where(eq(mails.recipient, desk.user.email))
  const before = (await toDesk()).filter(({ data }) => JSON.stringify(data).includes('January'))
  expect(before).toEqual([])
  at.shop.clock.set('2027-02-01T00:30:00Z')
  await runOutletCalendar(at.shop)
  await runOutletCalendar(at.shop)
  const sent = await toDesk()
  const ofJanuary = sent.filter(({ data }) => JSON.stringify(data).includes('January'))
  expect(ofJanuary.map(({ kind, data }) => [kind, data])).toEqual([
    ['card_additions', { month: 'January 2027', titles: [{ title: 'Nine Winters', priceMinor: 1400 }] }],
  ])
})
