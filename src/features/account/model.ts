import type { User } from '#contract/account.ts'

/** The profile as a form holds it: no field is without text. */
export interface ProfileFields {
  firstName: string
  lastName: string
  address1: string
  address2: string
  city: string
  county: string
  countryCode: string
  postCode: string
}

export const profileOf = (user: User): ProfileFields => ({
  firstName: user.firstName,
  lastName: user.lastName,
  address1: user.address1 ?? '',
  address2: user.address2 ?? '',
  city: user.city ?? '',
  county: user.county ?? '',
  countryCode: user.countryCode ?? '',
  postCode: user.postCode ?? '',
})

/** As the wire takes it: what is empty is null. */
export const toWire = ({ firstName, lastName, ...optional }: ProfileFields) => ({
  firstName,
  lastName,
  address1: optional.address1.trim() || null,
  address2: optional.address2.trim() || null,
  city: optional.city.trim() || null,
  county: optional.county.trim() || null,
  countryCode: optional.countryCode || null,
  postCode: optional.postCode.trim() || null,
})

/** Only ever back to a screen of ours. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

export interface GiftLink {
  email?: string
  token?: string
  type?: string
}

/** What a gift link carries, through log-in and sign-up (OP-21). */
export function giftLink(search: Record<string, unknown>): GiftLink {
  const link: GiftLink = {}
  for (const name of ['email', 'token', 'type'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') link[name] = value
  }
  return link
}

/** Where a gift is claimed by somebody who is in (ACC-39). */
export function claimPath({ email, token, type }: GiftLink): string {
  const query = new URLSearchParams()
  if (email) query.set('email', email)
  if (token) query.set('token', token)
  return `${type === 'subscription' ? '/get-subscription' : '/get-book'}?${query.toString()}`
}
