/** What sales can be grouped by. */
export const SALES_GROUPS = ['title', 'publisher', 'author', 'narrator', 'country', 'rate', 'code'] as const
export type SalesGroup = (typeof SALES_GROUPS)[number]

/** Whom royalties can be owed to. */
export const HOLDER_KINDS = ['publisher', 'author', 'narrator'] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]
