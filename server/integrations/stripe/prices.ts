import type Stripe from 'stripe'
import { isJoined, type Plan, type PlanId, PLANS } from '#contract/plans.ts'
import { errorCode } from '../../log/error-code.ts'
import type { Client } from './client.ts'
import { NotAtProvider } from './problems.ts'

/** Found by our lookup key. Its amount never changes: a new price takes over the key. */
export interface Price {
  readonly id: string
  readonly key: string
  readonly amountMinor: number
  readonly months: number
}

export interface WantedPrice {
  readonly key: string
  readonly name: string
  readonly amountMinor: number
  readonly months: number
}

export type SetUpOutcome = 'right' | 'made' | 'replaced'

export const priceKeyOf = (plan: PlanId): string => `plan_${plan}`

export function planOfKey(key: string): PlanId | null {
  const plan = RENEWED.find(({ id }) => priceKeyOf(id) === key)
  return plan ? plan.id : null
}

/** Six months are only sold as a gift, which never renews. */
const RENEWED = Object.values(PLANS).filter(({ monthly, yearly }) => monthly || yearly)

/** Prices that the provider must have for these plans. Prices of plans that are no longer sold stay there. */
export const membershipPrices = (plans = PLANS): readonly WantedPrice[] =>
  pricesOf(Object.values(plans).filter(isJoined))

export const pricesOf = (plans: readonly Plan[]): readonly WantedPrice[] =>
  plans
    .filter(({ months }) => months !== 6)
    .map(({ id, name, priceMinor, months }) => ({
      key: priceKeyOf(id),
      name,
      amountMinor: priceMinor,
      months,
    }))

/** The API's maximum of lookup keys per call. */
const KEYS = 10

export function openPrices({ ask }: Client) {
  return {
    find: (keys: readonly string[]): Promise<ReadonlyMap<string, Price>> =>
      ask('prices.find', (stripe) => findPrices(stripe, keys)),

    /** Creates a new price if the amount differs; members who joined at the old one keep it. Idempotent. */
    setUp: (wanted: readonly WantedPrice[]): Promise<ReadonlyMap<string, SetUpOutcome>> =>
      ask('prices.setUp', async (stripe) => {
        const found = await findPrices(
          stripe,
          wanted.map(({ key }) => key),
        )
        const outcomes = new Map<string, SetUpOutcome>()
        for (const price of wanted) {
          const before = found.get(price.key)
          const isRight = before?.amountMinor === price.amountMinor && before.months === price.months
          if (!isRight) await createPrice(stripe, price)
          outcomes.set(price.key, isRight ? 'right' : before ? 'replaced' : 'made')
        }
        return outcomes
      }),
  }
}

async function findPrices({ prices }: Stripe, keys: readonly string[]): Promise<Map<string, Price>> {
  const found = new Map<string, Price>()
  for (let first = 0; first < keys.length; first += KEYS) {
    const params = { lookup_keys: keys.slice(first, first + KEYS), active: true, limit: 100 }
    for (const each of (await prices.list(params)).data) {
      const price = toPrice(each)
      found.set(price.key, price)
    }
  }
  return found
}

async function createPrice(stripe: Stripe, { key, name, amountMinor, months }: WantedPrice): Promise<void> {
  const isYearly = months % 12 === 0
  await stripe.prices.create({
    product: await productOf(stripe, key, name),
    currency: 'gbp',
    unit_amount: amountMinor,
    recurring: { interval: isYearly ? 'year' : 'month', interval_count: isYearly ? months / 12 : months },
    tax_behavior: 'inclusive',
    nickname: name,
    lookup_key: key,
    transfer_lookup_key: true,
    // The lookup key may move to another price; subscriptions to this one still have the key in its metadata.
    metadata: { key },
  })
}

/** One product for each key, with a fixed id, so that two runs create one. */
async function productOf({ products }: Stripe, key: string, name: string): Promise<string> {
  const id = `murmur_${key}`
  try {
    await products.retrieve(id)
  } catch (error) {
    if (errorCode(error) !== 'resource_missing') throw error
    await products.create({ id, name }, { idempotencyKey: `product:${id}` })
  }
  return id
}

export function toPrice({ id, lookup_key, metadata, unit_amount, recurring }: Stripe.Price): Price {
  const months = recurring?.interval === 'year' ? 12 : 1
  return {
    id,
    key: metadata.key ?? lookup_key ?? '',
    amountMinor: unit_amount ?? 0,
    months: months * (recurring?.interval_count ?? 1),
  }
}

/** Caches the key that each price was created with. It never changes, so each price is fetched once. */
export type PriceKeys = ReturnType<typeof priceKeys>

export function priceKeys() {
  const keys = new Map<string, string>()
  const add = (price: Stripe.Price) => void keys.set(price.id, toPrice(price).key)
  return {
    add,
    async fetch({ prices }: Stripe, ids: readonly string[]): Promise<void> {
      for (const id of new Set(ids)) if (!keys.has(id)) add(await prices.retrieve(id))
    },
    of: (id: string): string | null => keys.get(id) ?? null,
  }
}

/** @throws {NotAtProvider} if no price has it */
export async function priceWithKey({ prices }: Stripe, key: string): Promise<Stripe.Price> {
  const { data } = await prices.list({ lookup_keys: [key], active: true })
  if (!data[0]) throw new NotAtProvider(`There is no price with the key ${key}: run npm run payments:set-up.`)
  return data[0]
}
