import type { PlanId } from '#contract/plans.ts'
import { syncMembershipOfInvoice, syncSubscription } from '#server/features/membership/sync-subscription.ts'
import { syncInvoicePayment } from '#server/features/membership/membership-refunds.ts'
import { planChangeTo } from '#server/features/membership/change-plan.ts'
import { planOfKey, priceKeyOf } from '#server/integrations/stripe/prices.ts'
import type { Begun, Notice, Step } from './recorded-membership.ts'
import type { Moment } from './recorded-provider.ts'

/** What can happen to a membership at the provider, one step at a time, and the webhook event for it. */

export const ofSubscription =
  ({ subscription }: Begun): Notice =>
  (desk) =>
    syncSubscription(desk, subscription)
export const ofInvoice =
  (invoice: string): Notice =>
  (desk) =>
    syncMembershipOfInvoice(desk, invoice)
export const ofPayment =
  (payment: string): Notice =>
  (desk) =>
    syncInvoicePayment(desk, payment)

/** Newest first. */
export async function invoicesOf({ all, subscription }: Begun) {
  const found = []
  for await (const invoice of all.sandbox.billing.invoices.list({ subscription })) found.push(invoice)
  return found
}
export const newest = async (life: Begun) => (await invoicesOf(life))[0]!
export const newestPayment = async (life: Begun) => (await newest(life)).payment!
export const firstPayment = async (life: Begun) => (await invoicesOf(life)).at(-1)!.payment!

export const there = ({ all }: Begun) => all.sandbox.billing.subscriptions

export const joined: Step = async (life) => ofPayment(await newestPayment(life))

/** To the highest plan, with the same billing interval. */
export const upgraded: Step = async (life) => {
  await life.all.pass('P10D')
  const { months } = await there(life).retrieve(life.subscription)
  return changed(life, months === 12 ? 2 : 1)
}
export async function changed(life: Begun, plan: PlanId): Promise<Notice> {
  const { all, subscription, moments } = life
  const at = all.shop.clock.now()
  await there(life).upgrade(
    subscription,
    { price: priceKeyOf(plan), at },
    `${moments.length}:${subscription}`,
  )
  return ofInvoice((await newest(life)).id)
}

/** To monthly billing, from the end of the year on. */
export const byTheMonth: Step = async (life) => {
  await there(life).changeAtPeriodEnd(life.subscription, priceKeyOf(4))
  return ofSubscription(life)
}

/** The provider charges an hour after the end of the period. */
export async function passPeriod(life: Begun): Promise<void> {
  const { all, subscription } = life
  const { periodEnd } = await there(life).retrieve(subscription)
  await all.pass(`PT${Math.ceil((periodEnd.getTime() - all.shop.clock.now().getTime()) / 1000) + 7200}S`)
}
export const renewed: Step = async (life) => {
  await passPeriod(life)
  return ofPayment(await newestPayment(life))
}
export const refused: Step = async (life) => {
  await life.all.bank(life.member, 'generic_decline')
  await passPeriod(life)
  return ofInvoice((await newest(life)).id)
}
export const recovered: Step = async (life) => {
  const { all, member, moments } = life
  await all.bank(member, 'pass')
  const { id } = await newest(life)
  await all.sandbox.billing.invoices.pay(id, `${moments.length}:${id}`)
  return ofSubscription(life)
}
export const cancelled: Step = async (life) => {
  await there(life).cancel(life.subscription)
  return ofSubscription(life)
}
export const resumed: Step = async (life) => {
  await there(life).resume(life.subscription)
  return ofSubscription(life)
}
export const ended: Step = async (life) => {
  await there(life).end(life.subscription)
  return ofSubscription(life)
}
export const back = async (
  { all, moments }: Begun,
  payment: string,
  amountMinor?: number,
): Promise<Notice> => {
  const part = amountMinor === undefined ? {} : { amountMinor }
  await all.sandbox.payments.refundPayment(payment, part, `${moments.length}:${payment}`)
  return ofPayment(payment)
}
export const partBack: Step = async (life) => back(life, await firstPayment(life), 200)
export const allBack: Step = async (life) => back(life, await newestPayment(life))

export async function dispute({ all, disputes }: Begun, payment: string): Promise<Notice> {
  disputes.set(payment, String((await all.sandbox.control(`payment_intents/${payment}/dispute`)).id))
  return ofPayment(payment)
}
export async function close(
  { all, disputes }: Begun,
  payment: string,
  outcome: 'won' | 'lost',
): Promise<Notice> {
  await all.sandbox.control(`disputes/${disputes.get(payment)!}/close`, { outcome })
  return ofPayment(payment)
}
export const disputed: Step = async (life) => dispute(life, await firstPayment(life))
export const won: Step = async (life) => close(life, await firstPayment(life), 'won')
export const lost: Step = async (life) => close(life, await firstPayment(life), 'lost')

export const DAYS = [1, 5, 20, 33, 70, 130, 200]
export const YEARS_MS = 2 * 366 * 24 * 3_600_000
export const SOLD: readonly PlanId[] = [1, 2, 4, 5, 6, 7]

/**
 * Two random years of a membership: time passes, then one of the possible steps is taken. If the shop ends it because
 * its money was refunded, the end follows at once.
 */
export function* anything(life: Begun, random: () => number): Generator<Step> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const begins = life.all.shop.clock.now().getTime()
  yield joined
  while (life.all.shop.clock.now().getTime() < begins + YEARS_MS) {
    const days = pick(DAYS)
    yield async () => {
      await life.all.pass(`P${days}D`)
      return random() < 0.5 ? ofSubscription(life) : ofInvoice((await newest(life)).id)
    }
    const now = life.moments.at(-1)!
    if (now.subscription.state === 'ended') return
    const turn = pick(turnsOf(now, pick))
    yield turn.step
    if (turn.ends) {
      yield ended
      return
    }
  }
}

export interface Turn {
  readonly step: Step
  /** All its money was refunded, so the shop ends it. */
  readonly ends?: true
}

export function turnsOf(now: Moment, pick: <T>(from: readonly T[]) => T): Turn[] {
  const { state, cancelsAt, price } = now.subscription
  const turns: Turn[] = [{ step: async (life) => ofSubscription(life) }]
  const plan = planOfKey(price)!
  if (state === 'past_due') {
    turns.push({ step: recovered }, { step: recovered })
  } else if (cancelsAt !== null) turns.push({ step: resumed }, { step: resumed })
  else {
    turns.push({ step: cancelled }, { step: declines })
    const next = pick(SOLD.filter((other) => other !== plan))
    const change = planChangeTo({ plan, status: 'active', canceledAt: null, gift: false }, next)
    if ('when' in change)
      turns.push({
        step: async (life) => {
          if (change.when === 'now') return changed(life, next)
          await there(life).changeAtPeriodEnd(life.subscription, priceKeyOf(next))
          return ofSubscription(life)
        },
      })
  }
  const payments = [...now.payments.values()].filter(({ payment }) => payment.state === 'paid')
  for (const { payment, dispute: state } of payments) {
    const { id, amountMinor, refundedMinor } = payment
    const left = amountMinor - refundedMinor
    if (state === 'none' && left > 1)
      turns.push(
        { step: (life) => back(life, id, pick([1, Math.ceil(left / 3), left - 1])) },
        { step: (life) => dispute(life, id) },
      )
    if (state === 'none' && left > 0 && pick([true, false, false]))
      turns.push({ step: (life) => back(life, id), ends: true })
    if (state === 'open') {
      turns.push({ step: (life) => close(life, id, 'won') }, { step: (life) => close(life, id, 'won') })
      turns.push({ step: (life) => close(life, id, 'lost'), ends: true })
    }
  }
  return turns
}

/** Has no effect that the shop sees before the next charge. */
export const declines: Step = async (life) => {
  await life.all.bank(life.member, 'generic_decline')
  return ofSubscription(life)
}
