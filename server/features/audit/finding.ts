/** One inconsistency of an account, or of an order without an account, and its remedy. */
export interface Finding {
  /** The kind of inconsistency and the row’s id; the same in every run. */
  readonly key: string
  /** Null for an order without an account. */
  readonly userId: string | null
  /** An order without an account; null for an account. */
  readonly orderId: string | null
  readonly what: string
  readonly remedy: string
}

/** What is checked together: accounts, or orders without an account (those of guests and of deleted accounts). */
export type Subjects = { readonly userIds: readonly string[] } | { readonly orderIds: readonly string[] }

export const idsOf = (subjects: Subjects): readonly string[] =>
  'userIds' in subjects ? subjects.userIds : subjects.orderIds
