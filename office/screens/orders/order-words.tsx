import type { OrderState } from '#contract/office/order-states.ts'
import { State, type StateKind } from '../../ui/State.tsx'

export const ORDER_WORDS: Readonly<Record<OrderState, { readonly kind: StateKind; readonly words: string }>> =
  {
    disputed: { kind: 'look', words: 'Disputed at the bank' },
    'refund-refused': { kind: 'broken', words: 'Refund refused' },
    waiting: { kind: 'later', words: 'Waiting for payment' },
    abandoned: { kind: 'retired', words: 'Not paid' },
    refunded: { kind: 'back', words: 'Refunded' },
    'part-refunded': { kind: 'look', words: 'Part refunded' },
    paid: { kind: 'on', words: 'Paid' },
  }

export function OrderStateMark({
  state,
  hasGift,
}: {
  readonly state: OrderState
  readonly hasGift: boolean
}) {
  const { kind, words } = ORDER_WORDS[state]
  return <State kind={kind}>{hasGift && state === 'paid' ? 'Paid, a gift' : words}</State>
}
