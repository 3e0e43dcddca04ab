import type { DeviceHere } from '#contract/account.ts'
import { type AccessTokens, accessTokens } from '../../auth/access-token.ts'
import type { Shop } from '../../shop.ts'
import { type RefreshTokens, refreshTokens } from './refresh-token.ts'

/** The parts that the rules of accounts are built from. */
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

/** The origin of a call. */
export interface Visit {
  readonly address: string
  /** As the browser describes itself; other clients may leave it out. */
  readonly device?: DeviceHere | undefined
}
