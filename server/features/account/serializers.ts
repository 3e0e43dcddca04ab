import type { User, Device } from '#contract/account.ts'
import type { Deletion } from '#contract/account-deletion.ts'
import type { Plans } from '#contract/plans.ts'
import type { Benefits } from '../membership/service.ts'
import type { Closing } from '../membership/account-closing.ts'
import { benefitsView } from '../membership/serializers.ts'
import { pounds } from '../prices/pricing.ts'
import type { UserRow } from './queries.ts'
import type { LoggedInDevice } from './devices.ts'

interface Keys {
  readonly cartId: string
  readonly feed: string
  readonly paysSomeone: number
  readonly pendingEmail: string | null
  readonly plans: Plans
}

export const userView = (
  { user, outletName }: UserRow,
  benefits: Benefits,
  { cartId, feed, paysSomeone, pendingEmail, plans }: Keys,
): User => ({
  '@context': '/api/contexts/User',
  '@id': `/api/users/${user.id}`,
  '@type': 'User',
  uuid: user.id,
  email: user.email,
  pendingEmail,
  firstName: user.firstName,
  lastName: user.lastName,
  fullName: `${user.firstName} ${user.lastName}`.trim(),
  address1: user.address1,
  address2: user.address2,
  city: user.city,
  county: user.county,
  countryCode: user.countryCode,
  postCode: user.postCode,
  newsletter: user.newsletter,
  promotions: user.promotions,
  confirmed: user.confirmedAt !== null,
  ...benefitsView(benefits, plans),
  paysSomeone,
  cart: { uuid: cartId },
  jwtMercuryToken: feed,
  outlet: outletName === null ? null : { name: outletName },
})

export const deletionView = ({ memberships, amountMinor, freeAudiobooks }: Closing): Deletion => ({
  amount: pounds(amountMinor),
  memberships: memberships.map(({ row, outcome }) => ({
    plan: row.plan,
    gift: row.gift,
    trial: row.status === 'trialing',
    outcome,
  })),
  freeAudiobooks,
})

export const deviceView = (device: LoggedInDevice): Device => ({
  '@id': `/api/devices/${device.id}`,
  '@type': 'Device',
  id: device.id,
  name: device.name,
  browser: device.browser,
  current: device.isCurrent,
  lastSeenAt: device.lastSeenAt.toISOString(),
  loggedInAt: device.loggedInAt.toISOString(),
})
