import { type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test'
import type { Role } from '#contract/office/permissions.ts'
import type { Shop } from './journey.ts'
import { SoftwarePasskey } from './software-passkey.ts'

/** The office's address: browsers keep passkeys for `localhost`, and for no IP address. */
export const officeUrl = (shop: Shop, path = ''): string =>
  `${shop.url.replace('127.0.0.1', 'localhost')}/office${path}`

interface Reader {
  readonly client: CDPSession
  readonly authenticatorId: string
}
const readers = new WeakMap<Page, Reader>()

/** A page of a browser that has a fingerprint reader, which says yes each time. */
export async function withFingerprint(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  readers.set(page, { client, authenticatorId: await addReader(client) })
  return page
}

/** Plugs in a reader that holds no passkey yet, instead of the page's first one. */
export async function takeAnotherReader(page: Page): Promise<void> {
  const { client, authenticatorId } = readers.get(page)!
  await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  readers.set(page, { client, authenticatorId: await addReader(client) })
}

async function addReader(client: CDPSession): Promise<string> {
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

/** The link that the owner's command prints. */
export async function linkToOffice(shop: Shop, email: string, role: Role): Promise<string> {
  const printed = await shop.murmur('office', 'invite', email, '--role', role)
  const link = LINK_TO_OFFICE.exec(printed)?.[0]
  if (!link) throw new Error(`No link in: ${printed}`)
  return link
}
export const LINK_TO_OFFICE = /\S+\/office\/welcome#\S+/

/** Each call replies with some of these. */
interface Reply {
  readonly link: string
  readonly challengeId: string
  readonly options: { readonly challenge: string }
}
type Ask = (path: string, data?: object) => Promise<Reply>
const owners = new WeakMap<Shop, Promise<Ask>>()

/** An invitation by an owner over HTTP: the command takes seconds, so each shop runs it only once. */
export async function invited(shop: Shop, email: string, role: Role): Promise<string> {
  let owner = owners.get(shop)
  if (!owner) owners.set(shop, (owner = anOwner(shop)))
  const { link } = await (await owner)('team/invitations', { email, role })
  return link
}

/** An owner with a passkey of software, which is used again before each call. */
async function anOwner(shop: Shop): Promise<Ask> {
  const { origin, hostname: domain } = new URL(officeUrl(shop))
  let cookie = ''
  const ask: Ask = async (path, data = {}) => {
    const answer = await fetch(`${origin}/api/office/${path}`, {
      method: 'POST',
      headers: { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie },
      body: JSON.stringify(data),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return answer.json()
  }
  const passkey = new SoftwarePasskey({ domain, origin })
  const token = (await linkToOffice(shop, 'steward@office.example', 'owner')).split('#')[1]
  const name = 'Steward Hale'
  const { challengeId, options } = await ask('invitations/options', { token, name })
  const response = passkey.register(options.challenge)
  await ask('invitations/accept', { token, name, challengeId, response })
  return async (path, data) => {
    const begun = await ask('confirm/options')
    await ask('confirm', {
      challengeId: begun.challengeId,
      response: passkey.answer(begun.options.challenge),
    })
    return ask(path, data)
  }
}

/**
 * Opens an invitation's link, makes a passkey and goes in. Returns the recovery codes.
 *
 * @param withCodes what is done while the codes are shown
 */
export async function joinOffice(
  page: Page,
  link: string,
  name: string,
  withCodes?: () => Promise<void>,
): Promise<string[]> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Make my passkey' }).click()
  await expect(page.getByRole('heading', { name: 'For the day you lose it.' })).toBeVisible()
  const codes = await page.locator('code').allTextContents()
  await withCodes?.()
  await page.getByRole('button', { name: /open the office/ }).click()
  await expect(page.getByRole('navigation', { name: 'Office' })).toBeVisible()
  return codes
}
