import type { Limit } from '../../guards/rate-limit.ts'

/** Nobody subscribes more addresses than this from one place. */
export const NEWSLETTERS: Limit = { name: 'newsletter from', most: 20, windowSeconds: 3600 }
/** A link is used once; nobody tries out so many. */
export const CONFIRMATIONS: Limit = { name: 'newsletter link from', most: 60, windowSeconds: 3600 }
