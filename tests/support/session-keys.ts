import type { Page } from '@playwright/test'

export interface SessionKeys {
  readonly token: string | null
  readonly refresh_token: string | null
  readonly tokenRefreshedDate: string | null
}

/** What the device keeps of the session. */
export const sessionOf = (page: Page): Promise<SessionKeys> =>
  page.evaluate(() => ({
    token: localStorage.getItem('token'),
    refresh_token: localStorage.getItem('refresh_token'),
    tokenRefreshedDate: localStorage.getItem('tokenRefreshedDate'),
  }))

/** The token is as good as expired from here on; with `refresh` the token that would renew it is spent too. */
export const spoilTokens = (page: Page, { refresh = false } = {}): Promise<void> =>
  page.evaluate((both) => {
    for (const key of both ? ['token', 'refresh_token'] : ['token'])
      localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -4)}AAAA`)
  }, refresh)
