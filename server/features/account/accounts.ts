import type { DeviceHere } from '#contract/account.ts'
import { type AccessTokens, accessTokens } from '../../auth/access-token.ts'
import type { Shop } from '../../shop.ts'
import { type RefreshTokens, refreshTokens } from './refresh-token.ts'

export interface Accounts {
  readonly shop: Shop
  readonly access: AccessTokens
  readonly refresh: RefreshTokens
}

export const accountsOf = (shop: Shop): Accounts => ({
  shop,
  access: accessTokens(shop),
  refresh: refreshTokens(shop.config),
})

export interface Tokens {
  readonly token: string
  readonly refreshToken: string
}

/** The client of a request: its IP address and, if it sends one, its device. */
export interface Visit {
  readonly address: string
  /** Sent by the browser app; other clients may omit it. */
  readonly device?: DeviceHere | undefined
}
