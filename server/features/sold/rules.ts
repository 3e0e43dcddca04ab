import type { Kind } from './kinds.ts'
import { membership } from './membership.ts'
import type { Selling } from './selling.ts'
import { membershipGift } from './membership-gift.ts'
import { title } from './title.ts'

export type { Kind, Sold, SoldOf } from './kinds.ts'
export type { Delivery, ForBuyer, Refused, StoredLine } from './selling.ts'

const SELLING = { title, membership, membership_gift: membershipGift } satisfies {
  readonly [K in Kind]: Selling<K>
}

/** Keeps, delivers, gives, takes back and shows what is sold: by its kind, whichever it is. */
export const selling = <K extends Kind>({ kind }: { readonly kind: K }): Selling<K> =>
  (SELLING as { readonly [Each in Kind]: Selling<Each> })[kind]

/** Of each kind the column of a line that says what came of it. */
export const DELIVERED_COLUMNS = Object.entries(SELLING).map(([kind, { deliveredColumn }]) => ({
  kind,
  deliveredColumn,
}))
