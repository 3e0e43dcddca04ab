import { and, eq } from 'drizzle-orm'
import { givenInWords, PLANS, type PlanId } from '#contract/plans.ts'
import { BusinessClock } from '#server/clock.ts'
import type { Config } from '#server/settings/config.ts'
import type { Transaction } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { type GiftDetails, orderLines } from '#server/db/schema/orders.ts'
import { giveMembership } from '#server/features/gifts/membership-gifts.ts'
import { calculatePrices } from '#server/features/prices/pricing.ts'
import { insertPaidOrder } from './demo-orders.ts'

/** A gift membership of `purchases.json`. */
export interface DemoGiven {
  readonly giver: string
  readonly to: string
  readonly series?: { readonly from: number; readonly to: number }
  readonly plan: PlanId
  readonly daysAgo: number
  readonly firstName: string
  readonly message: string
  /** The recipient has claimed it; it is the origin of their membership. */
  readonly claimed?: true
  /** Delivered on the next 25 December. */
  readonly christmas?: true
}

const DAY = 24 * 3_600_000

/** Inserts gift memberships in their states: waiting, claimed, and not yet due. */
export async function loadGiven(
  tx: Transaction,
  given: readonly DemoGiven[],
  { config, now }: { readonly config: Pick<Config, 'appKeys' | 'codeKey'>; readonly now: Date },
): Promise<void> {
  for (const { series = { from: 0, to: 0 }, ...gift } of given)
    for (let number = series.from; number <= series.to; number++) {
      const at = new Date(now.getTime() - gift.daysAgo * DAY)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- gifts need the keys alone
      const shop = { config: config as Config, clock: new BusinessClock(() => at) }
      const named = (text: string) => text.replaceAll('{nn}', String(number).padStart(2, '0'))
      const email = named(gift.to)
      const [giver] = await tx
        .select()
        .from(users)
        .where(eq(users.email, named(gift.giver)))
      if (!giver) throw new Error(`purchases.json names ${named(gift.giver)}, which is not a demo account.`)
      const { plan, firstName, message, christmas = false } = gift
      const details = {
        firstName,
        day: christmas ? nextChristmas(now) : null,
        zone: 'Europe/London',
        christmas,
      }
      const name = `${giver.firstName} ${giver.lastName}`
      const buyer = { id: giver.id, name, email: giver.email }
      const sold = await sellGift(tx, { plan, details, message, email, buyer, at })
      const id = await giveMembership(tx, shop, {
        ...sold,
        ...details,
        plan,
        giver: buyer,
        email,
        message,
        paidMinor: PLANS[plan].priceMinor,
      })
      await tx.update(orderLines).set({ membershipGiftId: id }).where(eq(orderLines.id, sold.orderLineId))
      if (gift.claimed) await claimed(tx, id, email)
    }
}

interface Selling {
  readonly plan: PlanId
  readonly details: GiftDetails
  readonly message: string
  readonly email: string
  readonly buyer: { readonly id: string; readonly name: string; readonly email: string }
  readonly at: Date
}

/** Inserts the giver's order and card payment. */
async function sellGift(
  tx: Transaction,
  { plan, details, message, email, buyer, at }: Selling,
): Promise<{ orderId: string; orderLineId: string }> {
  const { priceMinor } = PLANS[plan]
  const wished = { sold: { kind: 'membership' as const, plan }, originalMinor: priceMinor }
  const prices = calculatePrices([wished], null)
  const orderId = await insertPaidOrder(tx, { prices, buyer, paidBy: 'card', at })
  const [line] = await tx
    .insert(orderLines)
    .values({
      orderId,
      position: 0,
      kind: 'membership_gift',
      plan,
      giftDetails: details,
      title: givenInWords(PLANS[plan], 'first'),
      originalMinor: priceMinor,
      priceMinor: prices.lines[0]!.priceMinor,
      vatPercent: prices.lines[0]!.vatPercent,
      vatMinor: prices.lines[0]!.vatMinor,
      gift: true,
      giftEmail: email,
      giftMessage: message,
    })
    .returning({ id: orderLines.id })
  return { orderId, orderLineId: line!.id }
}

function nextChristmas(now: Date): string {
  const year = now.getUTCFullYear()
  return `${now < new Date(Date.UTC(year, 11, 24)) ? year : year + 1}-12-25`
}

async function claimed(tx: Transaction, id: string, email: string): Promise<void> {
  const [membership] = await tx
    .select({ id: subscriptions.id, userId: subscriptions.userId, from: subscriptions.periodStart })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(eq(users.email, email), eq(subscriptions.gift, true)))
  if (!membership)
    throw new Error(`purchases.json says that ${email} claimed a membership, and there is none.`)
  await tx
    .update(membershipGifts)
    .set({ claimedAt: membership.from, claimedBy: membership.userId })
    .where(eq(membershipGifts.id, id))
  await tx
    .update(membershipGifts)
    .set({ subscriptionId: membership.id, begunAt: membership.from })
    .where(eq(membershipGifts.id, id))
}
