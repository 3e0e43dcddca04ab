import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buyNowConsent, BUY_NOW_CONSENT } from '#contract/messages-checkout.ts'
import { customers, savedCards, subscriptions } from '#server/db/schema/membership.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orderLines, orders, payments } from '#server/db/schema/orders.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import { CARD } from '#tests/support/checkout-page.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { booksOf } from '#tests/support/membership-books.ts'
import { differences as membershipDifferences } from '#tests/support/membership-differences.ts'
import { aBuyer, type Buyer, fillBag } from '#tests/support/purchases.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { followEvents } from '../provider-events/follow-events.ts'
import { runMembershipCalendar } from '../membership/membership-schedule.ts'
import { reconcileMemberships } from '../membership/sync-due-memberships.ts'

const LIVES = process.env.LONG ? 20 : 4
const SHOPS = process.env.LONG ? 20 : 1
const MONTHS = 24
const TITLES = 60

interface Life {
  readonly buyer: Buyer
  /** The number of free audiobooks taken. */
  claimed: number
}

type Move = keyof ReturnType<typeof movesOf>
/** Stories that random moves may miss; each life begins with one. */
const ARRANGED: readonly (readonly Move[])[] = [
  ['saveCard', 'press', 'pressInTenTabs', 'joinWithBag', 'press', 'claim'],
  ['joinWithBag', 'pressBag', 'saveCard', 'bankDeclines', 'press', 'bankPasses', 'press'],
  ['wallet', 'joinWithBagRefused', 'saveCard', 'bankAsks', 'press', 'claim'],
  ['saveCard', 'removeCard', 'press', 'wallet', 'cancel', 'joinWithBag'],
]

let all: MembersShop
let titles: TestBook[]
beforeEach(async () => {
  all = await membersShop()
  all.shop.log.level = 'silent'
  titles = await Promise.all(
    Array.from({ length: TITLES }, (_, place) =>
      anAudioBook(all.shop, {
        priceMinor: 1100 + (place % 5) * 100,
        memberPriceMinor: 880 + (place % 5) * 80,
        edition: true,
      }),
    ),
  )
})
afterEach(() => all?.close())

function movesOf(random: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const { sandbox, shop } = all
  const as = ({ buyer }: Life) => memberOf(shop, buyer, '')
  async function aTitle({ buyer }: Life): Promise<TestBook> {
    const owned = await shop.db
      .select({ bookId: libraryEntries.bookId })
      .from(libraryEntries)
      .where(eq(libraryEntries.userId, buyer.user.id))
    const ids = new Set(owned.map(({ bookId }) => bookId))
    return pick(titles.filter(({ id }) => !ids.has(id)))
  }
  const priceOf = async (life: Life, slug: string): Promise<number> =>
    (await as(life).ask('GET', `/api/audio_books/${slug}`)).json().price
  const cardsOf = ({ buyer }: Life) =>
    shop.db.select().from(savedCards).where(eq(savedCards.userId, buyer.user.id))
  const bank = async (life: Life, says: string) => {
    for (const { methodId } of await cardsOf(life))
      await sandbox.control(`payment_methods/${methodId}`, { bank: says })
  }
  const reopen = ({ clientSecret }: { clientSecret: string }) => ({
    id: clientSecret.split('_secret_')[0]!,
    clientSecret,
  })
  /** The buyer comes back to the shop, or closes the tab and an event tells it. */
  async function comeBack(life: Life, { id, clientSecret }: { id: string; clientSecret: string }) {
    if (random() < 0.7)
      await as(life).ask('POST', '/api/payments/return', { paymentIntent: id, clientSecret })
    else await followEvents(shop)
  }
  const bagWith = async (life: Life) => {
    const { slug } = await aTitle(life)
    const cart = await fillBag(as(life), [{ slug, kind: 'audio_books' }])
    return { cart, bag: (await as(life).ask('GET', `/api/carts/${cart}`)).json() }
  }
  async function checkout(
    life: Life,
    more: object,
    confirm: (payment: { id: string; clientSecret: string }) => Promise<unknown>,
  ) {
    const { cart } = await bagWith(life)
    const answer = await as(life).ask('POST', `/api/carts/${cart}/checkout`, {
      couponCode: null,
      waiver: true,
      ...more,
    })
    const { clientSecret } = answer.json()
    if (!clientSecret) return
    const payment = reopen({ clientSecret })
    const confirmed = (await confirm(payment)) as { status?: string }
    if (confirmed.status === 'requires_action')
      await sandbox.decide(confirmed, random() < 0.7 ? 'approve' : 'refuse')
    await comeBack(life, payment)
  }
  async function press(life: Life, tabs: number) {
    const [card] = await cardsOf(life)
    if (!card) return
    const { slug } = await aTitle(life)
    const amount = await priceOf(life, slug)
    const body = { format: 'audio_book', slug, amount, paymentMethod: card.id, consent: BUY_NOW_CONSENT }
    const answers = await Promise.all(
      Array.from({ length: tabs }, () => as(life).ask('POST', '/api/buy_now', body)),
    )
    const asked = answers.map((answer) => answer.json()).find(({ outcome }) => outcome === 'authenticate')
    if (!asked) return
    const payment = reopen(asked)
    await sandbox.decide(await sandbox.resume(payment), random() < 0.7 ? 'approve' : 'refuse')
    await comeBack(life, payment)
  }
  async function joinWithBag(life: Life, isRefused: boolean) {
    const { cart, bag } = await bagWith(life)
    if (bag.sumForMembers === undefined) return
    const body = { plan: 4, startNow: true, amount: 8, cart }
    const joined = await as(life).ask('POST', '/api/subscriptions', body)
    const { id, paymentIntent } = joined.json()
    if (!paymentIntent) return
    const payment = reopen({ clientSecret: paymentIntent })
    await sandbox.confirm(payment, pick([CARD.good, CARD.declined]).replaceAll(' ', ''))
    await comeBack(life, payment)
    await memberOf(shop, life.buyer, id).settle()
    if (isRefused) {
      const own = await customerOf(life)
      const [latest] = (await booksOf(sandbox, own!)).slice(-1)
      const method = latest?.subscription.method
      if (method) await sandbox.control(`payment_methods/${method.id}`, { bank: 'insufficient_funds' })
    }
    // Two tabs, or a page that was lost and loaded again.
    const pay = { subscription: id, amount: bag.sumForMembers }
    const path = `/api/carts/${cart}/buy_after_joining`
    await Promise.all([as(life).ask('POST', path, pay), as(life).ask('POST', path, pay)])
    if (random() < 0.5) await as(life).ask('POST', path, pay)
  }

  return {
    saveCard: (life: Life) =>
      checkout(life, { saveCard: true }, (payment) =>
        sandbox.confirm(payment, CARD.good.replaceAll(' ', '')),
      ),
    form: (life: Life) =>
      checkout(life, {}, (payment) =>
        sandbox.confirm(payment, pick([CARD.good, CARD.declined, CARD.authentication]).replaceAll(' ', '')),
      ),
    wallet: (life: Life) =>
      checkout(life, {}, (payment) =>
        sandbox.confirmByWallet(payment, pick(['applepay', 'googlepay', 'link'])),
      ),
    press: (life: Life) => press(life, 1),
    pressInTenTabs: (life: Life) => press(life, 10),
    async pressBag(life: Life) {
      const [card] = await cardsOf(life)
      if (!card) return
      const { cart, bag } = await bagWith(life)
      const body = {
        couponCode: null,
        amount: bag.sumCheckedForPayment,
        paymentMethod: card.id,
        consent: buyNowConsent({ own: bag.itemCount, gifts: 0 }),
      }
      await as(life).ask('POST', `/api/carts/${cart}/buy_now`, body)
    },
    joinWithBag: (life: Life) => joinWithBag(life, false),
    joinWithBagRefused: (life: Life) => joinWithBag(life, true),
    async cancel(life: Life) {
      const current = (await as(life).ask('GET', '/api/get-current-subscription')).json()
      if (current?.id) await as(life).ask('POST', `/api/subscriptions/${current.id}/cancel`, {})
    },
    async claim(life: Life) {
      const answer = await as(life).ask(
        'POST',
        `/api/audio_books/add-to-library/${(await aTitle(life)).slug}`,
        { waiver: true },
      )
      if (answer.statusCode === 200) life.claimed += 1
    },
    async removeCard(life: Life) {
      const [card] = await cardsOf(life)
      if (card) await as(life).ask('DELETE', `/api/payment_methods/${card.id}`)
    },
    bankDeclines: (life: Life) => bank(life, 'generic_decline'),
    bankAsks: (life: Life) => bank(life, 'authenticate'),
    bankPasses: (life: Life) => bank(life, 'pass'),
    jobs: () => jobs(),
  }
}

async function jobs(): Promise<void> {
  await followEvents(all.shop)
  await reconcileMemberships(all.shop)
  await runMembershipCalendar(all.shop)
}

async function customerOf({ buyer }: Life): Promise<string | undefined> {
  const [known] = await all.shop.db.select().from(customers).where(eq(customers.userId, buyer.user.id))
  return known?.customerId
}

/** Where the shop's orders differ from the provider's charges, one line each. */
async function chargesAmiss(renewals: readonly string[]): Promise<string[]> {
  const charged = new Map<string, number>()
  for await (const payment of all.sandbox.payments.listPayments({}))
    if (payment.state === 'paid') charged.set(payment.id, payment.amountMinor)
  const paid = await all.shop.db
    .select({ intentId: payments.intentId, number: orders.number, totalMinor: orders.totalMinor })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(and(eq(orders.state, 'paid'), isNotNull(payments.intentId)))
  const found: string[] = []
  for (const { intentId, number, totalMinor } of paid)
    if (charged.get(intentId!) !== totalMinor)
      found.push(`${number} costs ${totalMinor}, and ${charged.get(intentId!) ?? 'nothing'} was charged`)
  const known = new Set([...paid.map(({ intentId }) => intentId!), ...renewals])
  for (const [id, amountMinor] of charged)
    if (!known.has(id)) found.push(`${amountMinor} was charged without an order`)
  return found
}

/** Where a library differs from what was paid and taken. */
async function libraryAmiss({ buyer, claimed }: Life): Promise<string[]> {
  const { db } = all.shop
  const lines = await db
    .select({ bookId: orderLines.bookId })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(
      and(
        eq(orders.userId, buyer.user.id),
        eq(orders.state, 'paid'),
        isNotNull(orderLines.bookId),
        isNull(orders.taken),
      ),
    )
  const found: string[] = []
  if (new Set(lines.map(({ bookId }) => bookId)).size < lines.length) found.push('a title was paid for twice')
  const owned = await db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))
  if (owned !== lines.length + claimed)
    found.push(`${owned} titles, but ${lines.length} paid and ${claimed} free ones`)
  return found
}

test.each(Array.from({ length: SHOPS }, (_, one) => seed + one))(
  'paying: two years of saved cards, wallets and bags with a membership, in any order: each charge is one order, and each order one charge (seed %i)',
  { timeout: process.env.LONG ? 3_600_000 : 300_000 },
  async (from) => {
    const random = randomNumbers(from)
    const moves = movesOf(random)
    const names = Object.keys(moves) as Move[]
    const lives: Life[] = []
    for (let life = 0; life < LIVES; life += 1) lives.push({ buyer: await aBuyer(all.shop), claimed: 0 })
    const story: Move[][] = lives.map(() => [])
    for (let month = 0; month < MONTHS; month += 1) {
      for (const [place, life] of lives.entries()) {
        const wish = ARRANGED[place]?.[month] ?? names[Math.floor(random() * names.length)]!
        story[place]!.push(wish)
        await moves[wish](life)
      }
      await all.pass('P28D')
      await jobs()
    }
    for (let night = 0; night < 3; night += 1) {
      await all.pass('P2D')
      await jobs()
    }
    const wrong: string[] = []
    const renewals: string[] = []
    for (const [place, life] of lives.entries()) {
      const own = await customerOf(life)
      const books = own ? await booksOf(all.sandbox, own) : []
      renewals.push(...books.flatMap(({ charges }) => charges.map(({ payment }) => payment.id)))
      const known = { taken: life.claimed, withdrawn: new Map(), wholes: new Set<string>() }
      const found = [
        ...(await libraryAmiss(life)),
        ...(await membershipDifferences(all, life.buyer, books, known)),
      ]
      if (found.length > 0) wrong.push(`${place} ${story[place]!.join(' ')}: ${found.join('; ')}`)
    }
    wrong.push(...(await chargesAmiss(renewals)))
    expect(wrong).toEqual([])
    const { db } = all.shop
    expect(await db.$count(orders, eq(orders.state, 'paid'))).toBeGreaterThan(LIVES * 10)
    const joint = await db
      .select()
      .from(orders)
      .innerJoin(subscriptions, eq(subscriptions.cartId, orders.sourceId))
      .where(eq(orders.state, 'paid'))
    expect(joint.length).toBeGreaterThan(2)
  },
)
