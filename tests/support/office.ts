import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Role } from '#contract/office/permissions.ts'
import type { Shop } from './journey.ts'

/** The office's address: browsers keep passkeys for `localhost`, and for no IP address. */
export const officeUrl = (shop: Shop, path = ''): string =>
  `${shop.url.replace('127.0.0.1', 'localhost')}/office${path}`

/** A page of a browser that has a fingerprint reader, which says yes each time. */
export async function withFingerprint(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

/** The link that the owner's command prints. */
export async function linkToOffice(shop: Shop, email: string, role: Role): Promise<string> {
  const printed = await shop.murmur('office', 'invite', email, '--role', role)
  const link = /\S+\/office\/welcome#\S+/.exec(printed)?.[0]
  if (!link) throw new Error(`No link in: ${printed}`)
  return link
}

/** Opens an invitation's link, makes a passkey and goes in. Returns the recovery codes. */
export async function joinOffice(page: Page, link: string, name: string): Promise<string[]> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Make my passkey' }).click()
  await expect(page.getByRole('heading', { name: 'For the day you lose it.' })).toBeVisible()
  const codes = await page.locator('code').allTextContents()
  await page.getByRole('button', { name: /open the office/ }).click()
  await expect(page.getByRole('navigation', { name: 'Office' })).toBeVisible()
  return codes
}
