/** States of an order in the office's list: one each, the most urgent first. */
export const ORDER_STATES = [
  'disputed',
  'refund-refused',
  'waiting',
  'abandoned',
  'refunded',
  'part-refunded',
  'paid',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Filters that match several states. */
export const STATE_GROUPS = {
  /** Needs a look. */
  look: ['disputed', 'refund-refused'],
  /** Any but waiting and abandoned. */
  settled: ['disputed', 'refund-refused', 'refunded', 'part-refunded', 'paid'],
} as const satisfies Readonly<Record<string, readonly OrderState[]>>
