import { intentOf, recordOf } from './billing/invoices.ts'
import { invalidRequest } from './errors.ts'
import type { Store } from './store.ts'

type Answer = Record<string, unknown>

/** The object type by the prefix of its id. */
const DRAWERS: Readonly<Record<string, string>> = {
  pi: 'payment_intent',
  seti: 'setup_intent',
  ch: 'charge',
  cus: 'customer',
  pm: 'payment_method',
  re: 'refund',
  du: 'dispute',
  sub: 'subscription',
  sub_sched: 'subscription_schedule',
  in: 'invoice',
  inpay: 'invoice_payment',
  price: 'price',
  prod: 'product',
  promo: 'promotion_code',
  di: 'discount',
  cn: 'credit_note',
  clock: 'test_clock',
  mandate: 'mandate',
}

/** Stripe's limit; a list's `data` counts as a level. */
const DEEPEST = 4

/** Replaces the ids named in `expand[]` by their objects, level by level. */
export function expanded(store: Store, answer: object, paths: readonly string[]): object {
  const whole: Answer = { ...structuredClone(answer) }
  for (const path of paths) {
    const names = path.split('.')
    if (names.length > DEEPEST)
      throw invalidRequest(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`, {
        param: 'expand',
      })
    expand(store, whole, names, path)
  }
  return whole
}

function expand(store: Store, at: unknown, [name, ...rest]: readonly string[], path: string): void {
  if (name === undefined || at === null || at === undefined) return
  if (Array.isArray(at)) {
    for (const each of at) expand(store, each, [name, ...rest], path)
    return
  }
  if (!isAnswer(at)) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const object = at
  const more = MORE[`${String(object.object)}.${name}`]
  if (more) object[name] = more(store, String(object.id))
  if (!(name in object))
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const stored = (id: unknown): unknown => {
    if (typeof id !== 'string') return id
    // A coupon's id has no prefix, because the caller chooses it.
    const kind = name === 'coupon' ? 'coupon' : DRAWERS[id.replace(/_[^_]+$/, '')]
    if (!kind) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
    return store.get(kind, id) ?? id
  }
  const value = object[name]
  object[name] = Array.isArray(value) ? value.map(stored) : stored(value)
  expand(store, object[name], rest, path)
}

const isAnswer = (at: unknown): at is Answer => typeof at === 'object' && at !== null

/** Properties that are included only when they are expanded. */
const MORE: Readonly<Record<string, (store: Store, id: string) => unknown>> = {
  'charge.refunds': refundsOf,
  'invoice.payments': (store, invoice) => ({
    object: 'list',
    data: [recordOf(store, invoice)].filter((each) => each !== undefined),
    has_more: false,
    url: '/v1/invoice_payments',
  }),
  'invoice.confirmation_secret': (store, invoice) => {
    const intent = intentOf(store, invoice)
    return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  },
}

function refundsOf(store: Store, charge: string): object {
  const data = store.where('refund', { charge })
  return { object: 'list', data: data.reverse(), has_more: false, url: `/v1/charges/${charge}/refunds` }
}
