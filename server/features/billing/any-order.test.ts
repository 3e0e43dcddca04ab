import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits, subscriptionInvoices, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { priceKeyOf } from '#server/outside/stripe/membership-prices.ts'
import { aBuyer } from '#tests/support/a-purchase.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { randomNumbers, seed } from '#tests/support/random.ts'
import { type Moment, momentOf, recordedProvider } from '#tests/support/recorded-provider.ts'
import type { TestShop } from '#tests/support/shop.ts'
import type { Desk } from './desk.ts'
import { join } from './join.ts'
import { reconcileMemberships, settleInvoice, settleInvoicePayment, settleSubscription } from './rules.ts'

const LONGEST = { timeout: 3_600_000 }
/** Of each life, with repetition and loss. */
const SHUFFLES = process.env.LONG ? 1000 : 4

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
})
afterAll(() => all?.close())

type Notice = (desk: Desk) => Promise<unknown>
type Step = (life: Begun) => Promise<Notice>
interface Begun {
  readonly member: Member
  readonly subscription: string
  readonly payments: string[]
  dispute?: string
}

/** What happens at the provider, and the notice that it sends of it. */
const newest = async ({ subscription }: Begun) => (await momentOf(all, subscription)).invoices[0]!
const ofSubscription: Step =
  async ({ subscription }) =>
  (desk) =>
    settleSubscription(desk, subscription)
const ofInvoice: Step = async (life) => {
  const { id } = await newest(life)
  return (desk) => settleInvoice(desk, id)
}
const ofPayment =
  (payment: string): Notice =>
  (desk) =>
    settleInvoicePayment(desk, payment)
const joined: Step = async (life) => {
  const { payment } = await newest(life)
  life.payments.push(payment!)
  return ofPayment(payment!)
}
/** To Avid Reader in the same rhythm. */
const upgraded: Step = async (life) => {
  await all.pass('P10D')
  const { subscriptions: there } = all.sandbox.billing
  const { months } = await there.retrieve(life.subscription)
  const price = priceKeyOf(months === 12 ? 2 : 1)
  await there.upgrade(life.subscription, { price, at: all.shop.clock.now() }, `up:${life.subscription}`)
  return ofInvoice(life)
}
/** The provider charges an hour after the period has ended. */
async function passPeriod({ subscription }: Begun): Promise<void> {
  const { periodEnd } = await all.sandbox.billing.subscriptions.retrieve(subscription)
  await all.pass(`PT${Math.ceil((periodEnd.getTime() - all.shop.clock.now().getTime()) / 1000) + 7200}S`)
}
const renewed: Step = async (life) => {
  await passPeriod(life)
  const { payment } = await newest(life)
  life.payments.push(payment!)
  return ofPayment(payment!)
}
const refused: Step = async (life) => {
  await all.bank(life.member, 'generic_decline')
  await passPeriod(life)
  return ofInvoice(life)
}
const recovered: Step = async (life) => {
  await all.bank(life.member, 'pass')
  const { id } = await newest(life)
  await all.sandbox.billing.invoices.pay(id, `pay:${id}`)
  return ofSubscription(life)
}
const cancelled: Step = async (life) => {
  await all.sandbox.billing.subscriptions.cancel(life.subscription)
  return ofSubscription(life)
}
const partBack: Step = async ({ payments: [first] }) => {
  await all.sandbox.payments.refundPayment(first!, { amountMinor: 200 }, `part:${first}`)
  return ofPayment(first!)
}
const allBack: Step = async ({ payments }) => {
  const last = payments.at(-1)!
  await all.sandbox.payments.refundPayment(last, {}, `all:${last}`)
  return ofPayment(last)
}
const ended: Step = async (life) => {
  await all.sandbox.billing.subscriptions.end(life.subscription)
  return ofSubscription(life)
}
const disputed: Step = async (life) => {
  const [first] = life.payments
  life.dispute = String((await all.sandbox.control(`payment_intents/${first}/dispute`)).id)
  return ofPayment(first!)
}
const won: Step = async ({ payments: [first], dispute }) => {
  await all.sandbox.control(`disputes/${dispute}/close`, { outcome: 'won' })
  return ofPayment(first!)
}

interface Life {
  readonly member: Member
  /** One for each notice: what the provider says from when it sends it until the next. */
  readonly moments: readonly Moment[]
  readonly notices: readonly Notice[]
}

/** Lived at the provider alone: the shop knows of its beginning and was told nothing. */
async function live(plan: PlanId, steps: readonly Step[]): Promise<Life> {
  await all.pass('PT0S')
  const buyer = await aBuyer(all.shop)
  const wish = { plan, code: null, trial: false, shownMinor: PLANS[plan].priceMinor, startNow: true }
  const { row, clientSecret } = await join(all.shop, { userId: buyer.user.id, ...wish })
  await all.sandbox.confirm({ id: clientSecret!.split('_secret_')[0]!, clientSecret: clientSecret! })
  const member = memberOf(all.shop, buyer, row.id)
  const begun: Begun = { member, subscription: row.providerId!, payments: [] }
  const moments: Moment[] = []
  const notices: Notice[] = []
  for (const step of steps) {
    notices.push(await step(begun))
    moments.push(await momentOf(all, begun.subscription))
  }
  return { member, moments, notices }
}

/** In a transaction that is taken back, so that the same life can be told again in another order. */
async function told({ member, moments, notices }: Life, order: readonly number[]): Promise<unknown> {
  const provider = recordedProvider(moments)
  let end: unknown
  class Again extends Error {}
  const telling = all.shop.db.transaction(async (tx) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A transaction is asked what a database is.
    const db = tx as unknown as TestShop['db']
    const desk = { ...all.shop, db, billing: provider.billing, payments: provider.payments }
    const reach = (moment: number) => {
      provider.reach(moment)
      all.shop.clock.set(new Date(provider.now().getTime() - all.shop.clock.aheadMs))
    }
    for (const notice of order) {
      // As early as it can come: what happened since is known there, what comes later is not.
      reach(notice)
      await notices[notice]!(desk)
    }
    reach(moments.length - 1)
    await reconcileMemberships(desk)
    end = await endOf(db, member)
    throw new Again()
  })
  await telling.catch((error: unknown) => {
    if (!(error instanceof Again)) throw error
  })
  return end
}

/** What is left of it in the books, without what was made up here: ids, and when something was noticed. */
async function endOf(db: TestShop['db'], { id, user }: Member) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  const { suspendedAt, ...standing } = row!
  const sold = await db
    .select({ invoice: subscriptionInvoices, order: orders })
    .from(subscriptionInvoices)
    .innerJoin(orders, eq(orders.id, subscriptionInvoices.orderId))
    .where(eq(subscriptionInvoices.subscriptionId, id))
    .orderBy(asc(subscriptionInvoices.invoiceId))
  const granted = await db
    .select()
    .from(credits)
    .where(eq(credits.userId, user.id))
    .orderBy(asc(credits.usableFrom), asc(credits.ordinal))
  const posted = await db.select().from(mails).where(eq(mails.recipient, user.email))
  return {
    standing,
    isSuspended: suspendedAt !== null,
    sold: sold.map(({ invoice, order }) => ({
      ...invoice,
      orderId: null,
      state: order.state,
      paidAt: order.paidAt,
      total: order.totalMinor,
      vat: order.vatMinor,
      back: order.refundedMinor,
    })),
    granted: granted.map(({ usableFrom, usableUntil, ordinal, revokedAt }) => ({
      usableFrom,
      usableUntil,
      ordinal,
      isRevoked: revokedAt !== null,
    })),
    mailed: posted
      .map(({ kind }) => kind)
      .filter((kind) => OF_MONEY.has(kind))
      .toSorted(),
  }
}
/** A failure or an end that nobody heard of until all was over need not be written about; money always is. */
const OF_MONEY = new Set(['membership_started', 'membership_renewed', 'plan_changed', 'membership_refunded'])

function* everyOrder(of: readonly number[]): Generator<number[]> {
  if (of.length === 0) yield []
  for (const one of of)
    for (const rest of everyOrder(of.filter((other) => other !== one))) yield [one, ...rest]
}

const LIVES: Readonly<Record<string, readonly [PlanId, readonly Step[]]>> = {
  'a dispute that is won after a renewal': [4, [joined, disputed, renewed, won]],
  'more in a month whose next one fails and recovers': [4, [joined, upgraded, refused, recovered]],
  'a renewal that fails for good': [4, [joined, refused, ended]],
  'all money back': [1, [joined, renewed, partBack, allBack, ended]],
  'a year with more of it, disputed': [5, [joined, upgraded, partBack, disputed, won, cancelled]],
  'half a year of everything': [4, [joined, upgraded, renewed, refused, recovered, allBack, ended]],
}

test.each(Object.entries(LIVES))(
  'MEMB-36: in whatever order, however often, and if at all it is told, it ends the same: %s',
  LONGEST,
  async (_name, [plan, steps]) => {
    const life = await live(plan, steps)
    const straight = steps.map((_step, notice) => notice)
    const expected = await told(life, straight)
    // By the job alone.
    expect(await told(life, [])).toEqual(expected)
    const isShort = steps.length <= (process.env.LONG ? 6 : 4)
    for (const order of isShort ? everyOrder(straight) : [])
      expect(await told(life, order), String(order)).toEqual(expected)
    const random = randomNumbers(seed)
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle += 1) {
      const length = Math.floor(random() * steps.length * 2)
      const order = Array.from({ length }, () => Math.floor(random() * steps.length))
      expect(await told(life, order), String(order)).toEqual(expected)
    }
  },
)
