import type { Shop } from '../../shop.ts'

/** What memberships are billed with. */
export type Desk = Pick<Shop, 'db' | 'now' | 'clock' | 'config' | 'billing' | 'payments' | 'log'>
