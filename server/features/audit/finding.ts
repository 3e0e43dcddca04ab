export interface Finding {
  /** The kind of inconsistency and the id of the row; the same in every run. */
  readonly key: string
  readonly userId: string | null
  /** Set only for an order without an account. */
  readonly orderId: string | null
  readonly what: string
  readonly remedy: string
}

/** Orders without an account are those of guests and of deleted accounts. */
export type Subjects = { readonly userIds: readonly string[] } | { readonly orderIds: readonly string[] }

export const idsOf = (subjects: Subjects): readonly string[] =>
  'userIds' in subjects ? subjects.userIds : subjects.orderIds
