import type { Limit } from '../../rate-limiting/rate-limit.ts'

/** Far more addresses than one person subscribes. */
export const NEWSLETTERS: Limit = { name: 'newsletter from', most: 20, windowSeconds: 3600 }
/** A link is used once. */
export const CONFIRMATIONS: Limit = { name: 'newsletter link from', most: 60, windowSeconds: 3600 }
