import type { CallerName, World } from './world.ts'

export type Statuses = Readonly<Record<CallerName, number>>

export interface SampleCall {
  readonly statuses: Statuses
  /** The caller, if not the owner. */
  readonly by?: CallerName
  /** A request about one of the owner's objects, which the owner may make. */
  request(world: World): Promise<{ url: string; payload?: Record<string, unknown> }>
}

export const everybody = (status: number): Statuses => ({
  visitor: status,
  owner: status,
  stranger: status,
  member: status,
  outlet: status,
})
/** Another user's object: 404 for users, 401 without a session. */
export const ownerOnly: Statuses = { visitor: 401, owner: 200, stranger: 404, member: 404, outlet: 404 }
/** Every user has their own list, which is empty for the others. */
export const ownList: Statuses = { visitor: 401, owner: 200, stranger: 200, member: 200, outlet: 200 }

export const outletOnly: Statuses = { visitor: 401, owner: 403, stranger: 403, member: 403, outlet: 200 }

export const get = (statuses: Statuses, url: (world: World) => string): SampleCall => ({
  statuses,
  request: async (world) => ({ url: url(world) }),
})
/** Another user's object: 404, also without a session. */
export const holderOnly: Statuses = { visitor: 404, owner: 200, stranger: 404, member: 404, outlet: 404 }

let visitors = 0
/** A new person on each call. */
export const aVisitor = () => ({
  email: `visitor-${(visitors += 1)}@murmur.example`,
  password: 'eight-it-is',
  firstName: 'Una',
  lastName: 'Reed',
  countryCode: 'GB',
})
