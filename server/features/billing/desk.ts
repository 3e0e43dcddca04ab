import type { Shop } from '../../shop.ts'

/** The parts of the shop that memberships are billed with. */
export type Desk = Pick<Shop, 'db' | 'now' | 'clock' | 'config' | 'billing' | 'payments' | 'log'>
