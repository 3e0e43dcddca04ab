import { invalidRequest } from './errors.ts'
import type { Store } from './store.ts'

type Answer = Record<string, unknown>

/** Which drawer an id lies in. */
const DRAWERS: Readonly<Record<string, string>> = {
  pi: 'payment_intent',
  seti: 'setup_intent',
  ch: 'charge',
  cus: 'customer',
  pm: 'payment_method',
  re: 'refund',
  du: 'dispute',
}

/** Ids that were named in `expand[]` become the objects they stand for, step by step along the path. */
export function expanded(store: Store, answer: object, paths: readonly string[]): object {
  const whole = structuredClone(answer) as Answer
  for (const path of paths) expand(store, whole, path.split('.'), path)
  return whole
}

function expand(store: Store, at: unknown, [name, ...rest]: readonly string[], path: string): void {
  if (name === undefined || at === null || at === undefined) return
  if (Array.isArray(at)) {
    for (const each of at) expand(store, each, [name, ...rest], path)
    return
  }
  const object = at as Answer
  if (object.object === 'charge' && name === 'refunds') object.refunds = refundsOf(store, object.id as string)
  if (!(name in object))
    throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
  const value = object[name]
  if (typeof value === 'string') {
    const kind = DRAWERS[value.split('_')[0]!]
    if (!kind) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
    object[name] = store.get(kind, value) ?? value
  }
  expand(store, object[name], rest, path)
}

function refundsOf(store: Store, charge: string): object {
  const data = store
    .all<{ id: string; charge: string }>('refund')
    .filter((refund) => refund.charge === charge)
  return { object: 'list', data: data.reverse(), has_more: false, url: `/v1/charges/${charge}/refunds` }
}
