import type { BrowserContextOptions } from '@playwright/test'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Opens a new session through the API. */
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

/** The storage of a logged-in device, made without the log-in screens. */
export async function storedSession(shopUrl: string, email: string): Promise<StorageState> {
  const pair = await tokensOf(shopUrl, email)
  const localStorage = [
    { name: 'token', value: pair.token },
    { name: 'refresh_token', value: pair.refresh_token },
    { name: 'tokenRefreshedDate', value: new Date().toISOString() },
  ]
  return { cookies: [], origins: [{ origin: shopUrl, localStorage }] }
}
