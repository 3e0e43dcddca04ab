import { eq, inArray } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { credits, customers, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { refunds } from '#server/db/schema/refunds.ts'
import { planOfKey } from '#server/outside/stripe/membership-prices.ts'
import { aBuyer, type Buyer } from '#tests/support/a-purchase.ts'
import { anAudioBook, type TestBook } from '#tests/support/builders.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import {
  booksOf,
  type Charge,
  promised,
  type ProviderBooks,
  sum,
  withdrawalBy,
} from '#tests/support/membership-books.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { vatIn } from '../prices/rules.ts'
import { followEvents } from '../checkout/follow-events.ts'
import { sendDueRefunds } from '../checkout/refunds.ts'
import { settlePayment } from '../checkout/settle.ts'
import { standingOf } from '../membership/rules.ts'
import { owedTo } from '../refunds/rules.ts'
import {
  carryOutWithdrawals,
  keepCalendar,
  reconcileMemberships,
  settleInvoice,
  settleSubscription,
} from './rules.ts'

/** Accounts of one shop, which live beside each other; so many shops, one after the other. */
const LIVES = process.env.LONG ? 50 : 12
const SHOPS = process.env.LONG ? 100 : 1
const STEPS = 12
const SOLD: readonly PlanId[] = [1, 2, 4, 5, 6, 7]
const TITLES = 40
const PAUSE_DAYS = [0, 1, 3, 10, 10, 25] as const
/** The provider tells what happened in the last 30 days: no shop sleeps longer. */
const LONGEST_SLEEP_DAYS = 29

interface Life {
  readonly buyer: Buyer
  /** The membership that was begun last. */
  id: string | null
  taken: number
  /** What each withdrawal was promised, in pence. */
  readonly withdrawn: Map<string, number>
  /** Payments of which all was to go back at some time, whatever came of it. */
  readonly wholes: Set<string>
}

type Move = keyof ReturnType<typeof movesOf>
/** What chance may leave out, the first lives go through whatever the seed. */
const ARRANGED: readonly (readonly Move[])[] = [
  ['join', 'claim', 'withdraw', 'join'],
  ['join', 'noBalance', 'withdraw', 'balance', 'jobs'],
  ['join', 'waits', 'withdraw', 'fails', 'balance', 'jobs'],
  ['join', 'withdraw', 'failsLater', 'tell', 'jobs'],
  ['join', 'upgrade', 'withdraw'],
  ['join', 'less', 'upgrade', 'cancel', 'resume'],
  ['join', 'dispute', 'tell', 'lose', 'tell', 'join'],
  ['join', 'upgrade', 'dispute', 'tell', 'win', 'tell'],
  ['join', 'dispute', 'withdraw', 'win', 'jobs'],
  ['joinTwice', 'claim', 'upgrade'],
  ['joinTwice', 'withdraw', 'joinTwice'],
  ['join', 'ownerPaysBack', 'tell', 'ownerPaysBack', 'tell'],
]

let all: MembersShop
let titles: TestBook[]
beforeEach(async () => {
  all = await membersShop()
  all.shop.log.level = 'silent'
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
  titles = await Promise.all(
    Array.from({ length: TITLES }, () => anAudioBook(all.shop, { priceMinor: 1200, edition: true })),
  )
})
afterEach(() => all?.close())

/** By the provider, of whatever this account ever began. */
async function booksFor({ buyer }: Life): Promise<ProviderBooks[]> {
  const [known] = await all.shop.db.select().from(customers).where(eq(customers.userId, buyer.user.id))
  return known ? booksOf(all.sandbox, known.customerId) : []
}
const chargesOf = async (life: Life): Promise<Charge[]> =>
  (await booksFor(life)).flatMap(({ charges }) => charges)

function movesOf(random: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const { sandbox, shop } = all
  const ask = (life: Life, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    memberOf(shop, life.buyer, life.id ?? '').ask(method, path, payload)
  const on = (life: Life, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    life.id === null ? null : ask(life, method, `/api/subscriptions/${life.id}${path}`, payload)
  const join = (life: Life, more: object) =>
    ask(life, 'POST', '/api/subscriptions', { plan: pick(SOLD), startNow: true, ...more })
  /** Whoever was given something to pay pays it. */
  async function pay(clientSecret: string | null | undefined): Promise<void> {
    if (!clientSecret) return
    const id = clientSecret.split('_secret_')[0]!
    await sandbox.confirm({ id, clientSecret })
    if (random() < 0.7) await settlePayment(shop, id)
  }
  const CARD = { paymentMethod: 'pm_card_visa' }
  const bank = async (life: Life, says: string) => {
    const method = (await booksFor(life)).at(-1)?.subscription.method
    if (method) await sandbox.control(`payment_methods/${method.id}`, { bank: says })
  }
  const refundsAnswer = (answer: string) => sandbox.control('refunds', { answer })
  const paid = async (life: Life) => (await chargesOf(life)).filter(({ payment }) => payment.state === 'paid')
  async function endRefund(life: Life, of: string, status: 'failed' | 'succeeded') {
    const found = (await chargesOf(life)).flatMap((charge) =>
      charge.refunds.filter(({ state }) => state === of).map((refund) => ({ ...charge, refund })),
    )
    if (found.length === 0) return
    const { payment, refund } = pick(found)
    await sandbox.control(`refunds/${refund.id}`, { status })
    if (random() < 0.5) await settlePayment(shop, payment.id)
  }
  async function closeDispute(life: Life, outcome: 'won' | 'lost') {
    const open = (await chargesOf(life)).filter(({ dispute }) => dispute === 'open')
    if (open.length === 0) return
    const { invoice, payment } = pick(open)
    if (outcome === 'lost') life.wholes.add(invoice.id)
    const { data } = (await (
      await fetch(`${sandbox.origin}/v1/disputes?payment_intent=${payment.id}`, {
        headers: { authorization: `Bearer ${sandbox.env.STRIPE_SECRET_KEY}` },
      })
    ).json()) as { data: { id: string }[] }
    await sandbox.control(`disputes/${data[0]!.id}/close`, { outcome })
  }
  /** Notices are lost, told twice, and told in any order. */
  async function tell(life: Life, share = 1) {
    for (const { subscription, invoices, charges } of await booksFor(life)) {
      const notices = [
        () => settleSubscription(shop, subscription.id),
        ...invoices.slice(-1).map(
          ({ id }) =>
            () =>
              settleInvoice(shop, id),
        ),
        ...charges
          .filter(({ payment }) => payment.refundedMinor > 0 || payment.disputed)
          .map(
            ({ payment }) =>
              () =>
                settlePayment(shop, payment.id),
          ),
      ]
      const mixed = notices.map((notice) => ({ notice, at: random() }))
      const told = mixed.toSorted((one, two) => one.at - two.at).slice(0, Math.ceil(share * mixed.length))
      for (const { notice } of told) await notice()
    }
  }

  return {
    async join(life: Life) {
      const answer = (await join(life, CARD)).json()
      if (answer.id) life.id = answer.id
      await pay(answer.paymentIntent)
    },
    /** Two windows, and in each somebody pays. */
    async joinTwice(life: Life) {
      const answers = await Promise.all([join(life, random() < 0.5 ? CARD : {}), join(life, {})])
      for (const answer of answers) await pay(answer.json().paymentIntent)
      await tell(life)
      const current = (await ask(life, 'GET', '/api/get-current-subscription')).json()
      if (current?.id) life.id = current.id
    },
    upgrade: (life: Life) => on(life, 'PATCH', '', { plan: pick([1, 2]) }),
    less: (life: Life) => on(life, 'PATCH', '', { plan: pick([6, 7]) }),
    change: (life: Life) => on(life, 'PATCH', '', { plan: pick(SOLD) }),
    cancel: (life: Life) => on(life, 'POST', '/cancel', {}),
    resume: (life: Life) => on(life, 'PATCH', '', { canceledAt: null }),
    payAgain: (life: Life) => on(life, 'POST', '/pay', {}),
    fail: (life: Life) => bank(life, 'generic_decline'),
    pass: (life: Life) => bank(life, 'pass'),
    async claim(life: Life) {
      const { slug } = titles[life.taken % TITLES]!
      const answer = await ask(life, 'POST', `/api/audio_books/add-to-library/${slug}`, { waiver: true })
      if (answer.statusCode === 200) life.taken += 1
    },
    async withdraw(life: Life) {
      const isTold = random() < 0.7
      if (isTold) await tell(life)
      const details = (await on(life, 'GET', '/details'))?.json()
      if (isTold && details) await compareOffer(life, details)
      if (!details?.withdrawal) return
      const amount = Math.round(details.withdrawal.amount * 100)
      const answer = await on(life, 'POST', '/withdraw', { amount: details.withdrawal.amount })
      if (answer?.statusCode === 200) life.withdrawn.set(life.id!, amount)
    },
    async dispute(life: Life) {
      const free = (await paid(life)).filter(({ dispute }) => dispute === 'none')
      if (free.length > 0) await sandbox.control(`payment_intents/${pick(free).payment.id}/dispute`)
    },
    win: (life: Life) => closeDispute(life, 'won'),
    lose: (life: Life) => closeDispute(life, 'lost'),
    async ownerPaysBack(life: Life) {
      const left = (await paid(life)).filter(
        ({ payment, dispute }) => payment.amountMinor > payment.refundedMinor && dispute === 'none',
      )
      if (left.length === 0) return
      const { invoice, payment } = pick(left)
      const rest = payment.amountMinor - payment.refundedMinor
      const amountMinor = random() < 0.3 ? rest : 1 + Math.floor((random() * rest) / 2)
      if (amountMinor === rest) life.wholes.add(invoice.id)
      const key = `${payment.id}:${random()}`
      await sandbox.payments.refundPayment(payment.id, { amountMinor }, key).catch(() => undefined)
    },
    noBalance: () => refundsAnswer('balance_insufficient'),
    waits: () => refundsAnswer('pending'),
    balance: () => refundsAnswer('succeeded'),
    fails: (life: Life) => endRefund(life, 'pending', 'failed'),
    arrives: (life: Life) => endRefund(life, 'pending', 'succeeded'),
    failsLater: (life: Life) => endRefund(life, 'done', 'failed'),
    tell: (life: Life) => tell(life, 0.6),
    async look(life: Life) {
      await ask(life, 'GET', '/api/get-current-subscription')
      await on(life, 'GET', '/details')
    },
    jobs: () => jobs(),
  }
}

async function jobs(): Promise<void> {
  const { shop } = all
  await carryOutWithdrawals(shop)
  await sendDueRefunds(shop)
  await keepCalendar(shop)
}

test.each(Array.from({ length: SHOPS }, (_, one) => seed + one))(
  'MEMB-36: whatever becomes of many memberships, in any order, plan, access, free audiobooks and every penny are what the provider’s books say (seed %i)',
  { timeout: process.env.LONG ? 3_600_000 : 300_000 },
  async (from) => {
    const random = randomNumbers(from)
    const moves = movesOf(random)
    const names = Object.keys(moves) as Move[]
    // On any day of a year, the last of a month too.
    await all.pass(`P${Math.floor(random() * 365)}D`)
    const lives: Life[] = []
    for (let life = 0; life < LIVES; life += 1)
      lives.push({
        buyer: await aBuyer(all.shop),
        id: null,
        taken: 0,
        withdrawn: new Map(),
        wholes: new Set(),
      })
    const story: Move[][] = lives.map(() => [])
    let sleptDays = 0
    for (let step = 0; step < STEPS; step += 1) {
      const days = step < 6 ? 1 : PAUSE_DAYS[Math.floor(random() * PAUSE_DAYS.length)]!
      sleptDays += days
      if (random() < 0.4 || sleptDays > LONGEST_SLEEP_DAYS) {
        await followEvents(all.shop)
        await reconcileMemberships(all.shop)
        sleptDays = days
      }
      await all.pass(`P${days}DT1H`)
      if (random() < 0.6) await jobs()
      for (const [place, life] of lives.entries()) {
        const wish = ARRANGED[place]?.[step] ?? names[Math.floor(random() * names.length)]!
        story[place]!.push(wish)
        await moves[wish](life)
      }
    }
    // Whoever slept wakes up, banks answer, and what is owed can be paid.
    await all.sandbox.control('refunds', { answer: 'succeeded' })
    for (const life of lives) while (await isPending(life)) await moves.arrives(life)
    for (let night = 0; night < 3; night += 1) {
      await all.pass('P2D')
      await followEvents(all.shop)
      await reconcileMemberships(all.shop)
      await jobs()
    }
    for (const [place, life] of lives.entries())
      await compare(life).catch((error: unknown) => {
        throw new Error(`Life ${place}: ${story[place]!.join(' ')}`, { cause: error })
      })
  },
)

/** What the page offers who withdraws, against the provider’s books. */
async function compareOffer(
  life: Life,
  { withdrawal }: { withdrawal: { amount: number } | null },
): Promise<void> {
  const { db, clock } = all.shop
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, life.id!))
  if (row!.withdrawnAt !== null || row!.endedAt !== null || row!.supersededAt !== null) return
  const now = clock.now()
  const books = (await booksFor(life)).find(({ subscription }) => subscription.id === row!.providerId)!
  const own = await db.select().from(credits).where(eq(credits.subscriptionId, life.id!))
  const running = own.filter(({ usableFrom, usableUntil }) => usableFrom <= now && usableUntil > now)
  const month = { given: running.length, taken: running.filter(({ spentAt }) => spentAt !== null).length }
  const offered = withdrawal && Math.round(withdrawal.amount * 100)
  expect(offered).toBe(withdrawalBy(books.charges, month, now))
}

const isPending = async (life: Life): Promise<boolean> =>
  (await chargesOf(life)).some(({ refunds: tried }) => tried.some(({ state }) => state === 'pending'))

const STATUS = {
  incomplete: 'incomplete',
  expired: 'incomplete_expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  ended: 'canceled',
} as const
const IS_OVER: readonly string[] = ['ended', 'expired']

async function compare(life: Life): Promise<void> {
  const { db, clock } = all.shop
  const { user } = life.buyer
  const now = clock.now()
  const books = await booksFor(life)
  const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, user.id))
  const sold = await db
    .select({
      order: orders,
      invoiceId: subscriptionInvoices.invoiceId,
      of: subscriptionInvoices.subscriptionId,
    })
    .from(subscriptionInvoices)
    .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
    .where(eq(orders.userId, user.id))
  const granted = await db.select().from(credits).where(eq(credits.userId, user.id))
  const invoiceIds = books.flatMap(({ invoices }) => invoices.map(({ id }) => id))
  const asked =
    invoiceIds.length > 0 ? await db.select().from(refunds).where(inArray(refunds.invoiceId, invoiceIds)) : []

  // One runs, and each is here what it is there.
  const alive = books.filter(({ subscription: { state } }) => !IS_OVER.includes(state))
  expect(alive.length).toBeLessThan(2)
  for (const { subscription, invoices, charges } of books) {
    const row = rows.find(({ id }) => id === subscription.metadata.subscription)!
    const { state, price, planned, cancelsAt, endedAt } = subscription
    if (row.supersededAt !== null) {
      expect([row.status, IS_OVER.includes(state), row.endedAt !== null]).toEqual([
        'incomplete_expired',
        true,
        true,
      ])
      for (const { payment } of charges) expect(payment.refundedMinor).toBe(payment.amountMinor)
      continue
    }
    expect(row).toMatchObject({
      status: STATUS[state],
      plan: planOfKey(price),
      pendingPlan: planned ? planOfKey(planned.price) : null,
      endedAt,
    })
    expect(row.canceledAt !== null).toBe(cancelsAt !== null || endedAt !== null)
    expect(row.withdrawnAt === null || state === 'ended').toBe(true)
    const renews = (state === 'active' || state === 'trialing') && cancelsAt === null
    if (renews)
      expect(row.nextMinor).toBe(
        (await all.sandbox.billing.subscriptions.quoteRenewal(subscription.id)).totalMinor,
      )

    // Each penny that was charged was sold, and each that went back went back here.
    const paid = invoices.filter((invoice) => invoice.state === 'paid')
    const its = sold.filter(({ of }) => of === row.id)
    expect(its.map(({ invoiceId }) => invoiceId).toSorted()).toEqual(paid.map(({ id }) => id).toSorted())
    for (const { order, invoiceId } of its) {
      const charge = charges.find(({ invoice }) => invoice.id === invoiceId)
      const { paidMinor } = paid.find(({ id }) => id === invoiceId)!
      expect([order.totalMinor, order.vatMinor]).toEqual([paidMinor, vatIn(paidMinor, 20)])
      expect(charge?.payment.amountMinor ?? 0).toBe(paidMinor)
      const backMinor = charge?.dispute === 'lost' ? paidMinor : (charge?.payment.refundedMinor ?? 0)
      expect(order.refundedMinor).toBe(backMinor)
    }

    // Free audiobooks are what was paid for, and can be taken unless their money went back.
    const own = granted.filter(({ subscriptionId }) => subscriptionId === row.id)
    expect(own).toHaveLength(promised(paid, row.anchor))
    const back = charges.filter(
      ({ payment, dispute }) =>
        payment.refundedMinor >= payment.amountMinor || dispute === 'open' || dispute === 'lost',
    )
    const doubtful = charges.filter(({ invoice }) => life.wholes.has(invoice.id))
    const touches = ({ invoice }: Charge, { usableFrom, usableUntil }: (typeof own)[number]) => {
      const { from, until } = invoice.lines.at(-1)!
      return usableUntil > from && usableFrom < until
    }
    for (const grant of own) {
      if (grant.spentAt !== null) continue
      const isGone = row.withdrawnAt !== null || back.some((charge) => touches(charge, grant))
      if (isGone || !doubtful.some((charge) => touches(charge, grant)))
        expect(grant.revokedAt !== null, JSON.stringify({ grant, row })).toBe(isGone)
    }
  }
  expect(granted.filter(({ spentAt }) => spentAt !== null)).toHaveLength(life.taken)

  // What was promised to who withdrew has gone back, or is owed while a bank forbids it.
  const charges = books.flatMap((each) => each.charges)
  for (const refund of asked) {
    const charge = charges.find(({ invoice }) => invoice.id === refund.invoiceId)!
    const there = charge.refunds.find(({ id }) => id === refund.providerId)
    if (refund.state === 'done' && refund.providerId !== null)
      expect([there?.state, there?.amountMinor]).toEqual(['done', refund.amountMinor])
    // Owed as long as the provider forbids it.
    else if (refund.state !== 'done') expect(charge.dispute).not.toBe('none')
  }
  for (const [id, amountMinor] of life.withdrawn) {
    const ordersOfIt = sold.filter(({ of }) => of === id).map(({ order }) => order.id)
    const noted = asked.filter(
      ({ orderId, reason }) => reason === 'withdrawal' && ordersOfIt.includes(orderId!),
    )
    expect(sum(noted.map((refund) => refund.amountMinor))).toBeGreaterThanOrEqual(amountMinor)
  }
  const isOwed = asked.filter(
    ({ state, orderId }) => orderId !== null && ['asked', 'refused', 'failed'].includes(state),
  )
  expect(sum((await owedTo(db, user.id)).map(({ amountMinor }) => amountMinor))).toBe(
    sum(isOwed.map(({ amountMinor }) => amountMinor)),
  )
  // Each refund has its note; one that failed after it had its note has it still.
  for (const { invoice, refunds: tried } of charges) {
    const went = sum(tried.filter(({ state }) => state === 'done').map(({ amountMinor }) => amountMinor))
    expect(invoice.creditedMinor).toBeGreaterThanOrEqual(went)
    expect(invoice.creditedMinor).toBeLessThanOrEqual(invoice.paidMinor)
  }

  // Access.
  const current = alive[0]
  const isSuspended = current?.charges.some(({ dispute }) => dispute === 'open')
  const holds = current && !isSuspended && ['active', 'trialing'].includes(current.subscription.state)
  const tier = holds ? PLANS[planOfKey(current.subscription.price)!].tier : null
  const standing = await standingOf(db, user.id, now)
  if (current?.subscription.state !== 'past_due') expect(standing.tier).toBe(tier)
  const usable = granted.filter(
    ({ spentAt, revokedAt, usableFrom, usableUntil, heldUntil }) =>
      spentAt === null &&
      revokedAt === null &&
      usableFrom <= now &&
      usableUntil > now &&
      (heldUntil ?? now) <= now,
  )
  expect(standing.hasCredit).toBe(usable.length > 0)
}
