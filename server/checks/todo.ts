import { MINUTE_MS } from '#contract/durations.ts'
import { wrongPrices } from '../features/membership/join.ts'
import { withDeadline } from '../integrations/stripe/deadline.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import { causedBy } from '../log/log-context.ts'
import type { Shop } from '../shop.ts'
import type { CheckedShop, Problem, WrongPrices } from './check.ts'
import { selectDone } from './queries.ts'
import { SHOP_CHECKS } from './table.ts'

export interface Todo extends Pick<Problem, 'what' | 'remedy'> {
  readonly kind: string
  /** Identifies it: `npm run todo -- done KEY`. */
  readonly key: string
  readonly since: Date | null
  readonly userId: string | null
}

export type TodoList = () => Promise<Todo[]>

export const TODO_KINDS: ReadonlySet<string> = new Set(SHOP_CHECKS.flatMap(({ todoKind }) => todoKind ?? []))

const PRICES_HOLD_MS = 10 * MINUTE_MS

/** Queried each time, so that solved problems disappear. */
export function todoList(shop: Omit<CheckedShop, 'wrongPrices' | 'isDeep'>, prices: WrongPrices): TodoList {
  return async () => {
    const done = await selectDone(shop.db)
    const given = { ...shop, wrongPrices: prices, isDeep: false }
    const todo: Todo[] = []
    for (const { todoKind: kind, run } of SHOP_CHECKS)
      if (kind !== undefined)
        for (const { severity, subject, since = null, userId = null, what, remedy } of (await run(given))
          .problems) {
          const key = subject === undefined ? kind : `${kind}:${subject}`
          const isDone = since !== null && done.has(key) && done.get(key)! >= since
          if (severity === 'broken' && !isDone) todo.push({ kind, key, since, userId, what, remedy })
        }
    return todo
  }
}

/** Never waits for the provider: returns the plans whose price was wrong when it was last asked. */
export function lastWrongPrices(shop: Pick<Shop, 'billing' | 'payments' | 'config'>): WrongPrices {
  let askedAt = -Infinity
  let known: readonly string[] = []
  return async () => {
    if (takesPayments(shop.payments) && performance.now() - askedAt > PRICES_HOLD_MS) {
      askedAt = performance.now()
      // Not part of the request, whose deadline would apply.
      void causedBy({ job: 'prices' }, () => withDeadline(undefined, () => wrongPrices(shop))).then(
        (wrong) => (known = wrong),
        () => undefined,
      )
    }
    return known
  }
}

export function todoInWords(found: readonly Todo[]): string {
  const [first, second, third] = found
  if (!first) return ''
  const lines = [first, second, third].flatMap((each) => (each ? `  ${each.what}` : []))
  const count = found.length === 1 ? 'One thing needs you' : `${found.length} things need you`
  return [`${count}. npm run todo says what to do:`, ...lines].join('\n')
}
