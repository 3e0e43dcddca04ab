import type { Limit } from '../../guards/rate-limit.ts'

/** Nobody subscribes more addresses than this from one place. */
export const NEWSLETTERS: Limit = { name: 'newsletter from', most: 20, windowSeconds: 3600 }
