import type { Page } from '@playwright/test'

export interface SessionKeys {
  readonly token: string | null
  readonly refresh_token: string | null
  readonly tokenRefreshedDate: string | null
}

/** The session that the device stores. */
export const sessionOf = (page: Page): Promise<SessionKeys> =>
  page.evaluate(() => ({
    token: localStorage.getItem('token'),
    refresh_token: localStorage.getItem('refresh_token'),
    tokenRefreshedDate: localStorage.getItem('tokenRefreshedDate'),
  }))

/** Makes the access token invalid, as if expired; with `refresh` also the refresh token. */
export const spoilTokens = (page: Page, { refresh = false } = {}): Promise<void> =>
  page.evaluate((both) => {
    for (const key of both ? ['token', 'refresh_token'] : ['token'])
      localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -4)}AAAA`)
  }, refresh)
