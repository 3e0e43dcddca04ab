import type { CallerName, World } from './world.ts'

export type Statuses = Readonly<Record<CallerName, number>>

export interface SampleCall {
  readonly statuses: Statuses
  /** Who makes it where that is not the owner. */
  readonly by?: CallerName
  /** A call about something of the owner's that its owner may make. */
  request(world: World): Promise<{ url: string; payload?: Record<string, unknown> }>
}

export const everybody = (status: number): Statuses => ({
  visitor: status,
  owner: status,
  stranger: status,
  member: status,
  outlet: status,
})
/** Somebody else's is not there, for everybody who has not signed in it is closed. */
export const ownerOnly: Statuses = { visitor: 401, owner: 200, stranger: 404, member: 404, outlet: 404 }
/** Everybody's own, which for the others is an empty list. */
export const ownList: Statuses = { visitor: 401, owner: 200, stranger: 200, member: 200, outlet: 200 }

/** A bookshop's. */
export const outletOnly: Statuses = { visitor: 401, owner: 403, stranger: 403, member: 403, outlet: 200 }

export const get = (statuses: Statuses, url: (world: World) => string): SampleCall => ({
  statuses,
  request: async (world) => ({ url: url(world) }),
})
/** Somebody else's is not there; nobody needs to sign in to be told so. */
export const holderOnly: Statuses = { visitor: 404, owner: 200, stranger: 404, member: 404, outlet: 404 }

let visitors = 0
/** Somebody new each time. */
export const aVisitor = () => ({
  email: `visitor-${(visitors += 1)}@murmur.example`,
  password: 'eight-it-is',
  firstName: 'Una',
  lastName: 'Reed',
  countryCode: 'GB',
})
