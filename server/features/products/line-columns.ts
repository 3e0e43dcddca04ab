import { PLANS } from '#contract/plans.ts'
import type { orderLines } from '../../db/schema/orders.ts'
import type { Format, Kind, SoldOf } from './kinds.ts'

type Columns = typeof orderLines.$inferSelect

/** Columns of an order line that say what is sold, and those that refer to what was delivered for it. */
type SubjectColumn = 'bookId' | 'plan' | 'giftDetails'
type ResultColumn = 'entryId' | 'subscriptionId' | 'membershipGiftId'

export type StoredLine = Pick<Columns, 'kind' | SubjectColumn | ResultColumn> & {
  readonly format: Format | null
}

export interface LineColumns<K extends Kind> {
  /** Refers to what was delivered. While it is null the line is undelivered, and its price has to be refunded. */
  readonly deliveredColumn: ResultColumn
  /** True if `deliveredColumn` is set for gifts, too. Otherwise the gift refers to its line. */
  readonly storesGifts: boolean
  readonly write: (sold: SoldOf<K>) => Partial<Pick<Columns, SubjectColumn>>
  readonly read: (line: StoredLine) => SoldOf<K>
}

/** `read` relies on the table's check constraints: they refuse a line without what its kind needs. */
const LINE_COLUMNS: { readonly [K in Kind]: LineColumns<K> } = {
  title: {
    deliveredColumn: 'entryId',
    storesGifts: false,
    write: ({ bookId }) => ({ bookId }),
    read: ({ bookId, format }) => ({ kind: 'title', bookId: bookId!, format: format! }),
  },
  membership: {
    deliveredColumn: 'subscriptionId',
    storesGifts: false,
    write: ({ plan }) => ({ plan }),
    read: ({ plan }) => ({ kind: 'membership', plan: plan! }),
  },
  membership_gift: {
    deliveredColumn: 'membershipGiftId',
    storesGifts: true,
    write: ({ plan, firstName, day, zone, christmas }) => ({
      plan,
      giftDetails: { firstName, day, zone, christmas },
    }),
    read: ({ plan, giftDetails }) => ({
      kind: 'membership_gift',
      plan: Object.values(PLANS).find(({ id }) => id === plan)!.id,
      ...giftDetails!,
    }),
  },
}

export const lineColumns = <K extends Kind>({ kind }: { readonly kind: K }): LineColumns<K> =>
  LINE_COLUMNS[kind]

export const DELIVERED_COLUMNS = Object.entries(LINE_COLUMNS).map(([kind, { deliveredColumn }]) => ({
  kind,
  deliveredColumn,
}))
