import type Stripe from 'stripe'
import type { Client } from './client.ts'
import { NotAtProvider } from './problems.ts'
import type { Price, Prices, WantedPrice, SetUpOutcome } from './prices.ts'

/** The API's maximum of lookup keys per call. */
const KEYS = 10

export function stripePrices({ ask }: Client): Prices {
  const find: Prices['find'] = (keys) =>
    ask(async ({ prices }) => {
      const found = new Map<string, Price>()
      for (let first = 0; first < keys.length; first += KEYS) {
        const params = { lookup_keys: keys.slice(first, first + KEYS), active: true, limit: 100 }
        for (const each of (await prices.list(params)).data) {
          const price = priceOf(each)
          found.set(price.key, price)
        }
      }
      return found
    })

  return {
    find,
    async setUp(prices) {
      const found = await find(prices.map(({ key }) => key))
      const outcomes = new Map<string, SetUpOutcome>()
      for (const params of prices) {
        const before = found.get(params.key)
        const isRight = before?.amountMinor === params.amountMinor && before.months === params.months
        if (!isRight) await ask((stripe) => make(stripe, params))
        outcomes.set(params.key, isRight ? 'right' : before ? 'replaced' : 'made')
      }
      return outcomes
    },
  }
}

async function make(stripe: Stripe, { key, name, amountMinor, months }: WantedPrice): Promise<void> {
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
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error can be checked for this property
    if ((error as { code?: unknown }).code !== 'resource_missing') throw error
    await products.create({ id, name }, { idempotencyKey: `product:${id}` })
  }
  return id
}

export function priceOf({ id, lookup_key, metadata, unit_amount, recurring }: Stripe.Price): Price {
  const months = recurring?.interval === 'year' ? 12 : 1
  return {
    id,
    key: metadata.key ?? lookup_key ?? '',
    amountMinor: unit_amount ?? 0,
    months: months * (recurring?.interval_count ?? 1),
  }
}

/** Caches the key that each price was created with. It never changes, so each price is fetched once. */
export interface PriceKeys {
  readonly note: (price: Stripe.Price) => void
  readonly learn: (stripe: Stripe, ids: readonly string[]) => Promise<void>
  readonly of: (id: string) => string | null
}

export function priceKeys(): PriceKeys {
  const keys = new Map<string, string>()
  const note: PriceKeys['note'] = (price) => void keys.set(price.id, priceOf(price).key)
  return {
    note,
    async learn({ prices }, ids) {
      for (const id of new Set(ids)) if (!keys.has(id)) note(await prices.retrieve(id))
    },
    of: (id) => keys.get(id) ?? null,
  }
}

/**
 * The price that currently has this key.
 *
 * @throws {NotAtProvider} if no price has it
 */
export async function demandPrice({ prices }: Stripe, key: string): Promise<Stripe.Price> {
  const { data } = await prices.list({ lookup_keys: [key], active: true })
  if (!data[0]) throw new NotAtProvider(`There is no price with the key ${key}: run npm run payments:set-up.`)
  return data[0]
}
