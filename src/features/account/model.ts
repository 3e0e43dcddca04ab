import type { User } from '#contract/account.ts'
import type { GiftLink } from './gift-link.ts'

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

/** The address where a gift is claimed by somebody who is in (ACC-39). */
export function claimPath({ email, token, type }: GiftLink): string {
  const query = new URLSearchParams()
  if (email) query.set('email', email)
  if (token) query.set('token', token)
  return `${type === 'subscription' ? '/get-subscription' : '/get-book'}?${query.toString()}`
}
