import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Role } from '#contract/office/permissions.ts'
import { hashOfToken, officeOrigins, staffCookieName } from '#server/auth/staff.ts'
import { staff, staffSessions } from '#server/db/schema/staff.ts'
import { HOUR_MS } from '#contract/durations.ts'
import type { TestShop } from './shop.ts'

export interface StaffSession {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly headers: Readonly<Record<string, string>>
  ask(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    payload?: object,
  ): Promise<LightMyRequestResponse>
}

let count = 0

/** A member of staff who is signed in. `confirmed: false`: the passkey was used too long ago. */
export async function signedInStaff(
  shop: TestShop,
  role: Role = 'owner',
  {
    confirmed = true,
    name = `${role} ${(count += 1)}`,
  }: { readonly confirmed?: boolean; readonly name?: string } = {},
): Promise<StaffSession> {
  const now = shop.now()
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '-')}@office.example`
  const [row] = await shop.db.insert(staff).values({ email, name, role, createdAt: now }).returning()
  const token = `${role}-${row!.id}`
  await shop.db.insert(staffSessions).values({
    staffId: row!.id,
    tokenHash: hashOfToken(token),
    createdAt: now,
    endsAt: new Date(now.getTime() + 12 * HOUR_MS),
    confirmedAt: new Date(now.getTime() - (confirmed ? 0 : HOUR_MS)),
  })
  const headers = officeHeaders(shop, token)
  return {
    id: row!.id,
    name,
    email,
    headers,
    ask: (method, url, payload) =>
      shop.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) }),
  }
}

/** As the office's own page sends them. */
export const officeHeaders = (
  { config }: Pick<TestShop, 'config'>,
  token?: string,
): Record<string, string> => ({
  origin: officeOrigins(config)[0]!,
  'sec-fetch-site': 'same-origin',
  ...(token === undefined ? {} : { cookie: `${staffCookieName(config)}=${token}` }),
})
