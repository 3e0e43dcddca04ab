import type { BrowserContextOptions } from '@playwright/test'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** A session of its own each time, opened past every screen. */
export async function tokensOf(
  shopUrl: string,
  email: string,
  password = 'murmur-demo',
): Promise<{ token: string; refresh_token: string }> {
  const response = await fetch(`${shopUrl}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`${email} could not log in: ${response.status}`)
  return (await response.json()) as { token: string; refresh_token: string }
}

/** What a device holds after a log-in, without the screens that lead there. */
export async function storedSession(shopUrl: string, email: string): Promise<StorageState> {
  const pair = await tokensOf(shopUrl, email)
  const localStorage = [
    { name: 'token', value: pair.token },
    { name: 'refresh_token', value: pair.refresh_token },
    { name: 'tokenRefreshedDate', value: new Date().toISOString() },
  ]
  return { cookies: [], origins: [{ origin: shopUrl, localStorage }] }
}
