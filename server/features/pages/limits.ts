import type { Limit } from '../../rate-limiting/rate-limit.ts'

/** Nobody subscribes more addresses than this from one place. */
export const NEWSLETTERS: Limit = { name: 'newsletter from', most: 20, windowSeconds: 3600 }
/** Links are used once; nobody needs to try this many. */
export const CONFIRMATIONS: Limit = { name: 'newsletter link from', most: 60, windowSeconds: 3600 }
