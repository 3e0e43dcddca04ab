import { randomBytes } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { Role } from '#contract/office/permissions.ts'
import { hashOfToken, officeOrigins } from '../../auth/staff.ts'
import { gone } from '../../http/http-errors.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import {
  insertInvitation,
  type InvitationRow,
  selectInvitationByToken,
  withdrawInvitations,
} from './queries.ts'

/** Long enough for a weekend; a link in an email may be read by others later. */
const OPEN_MS = 3 * DAY_MS
const OPEN_ON_THIS_MACHINE_MS = 12 * HOUR_MS

type Inviting = Pick<Shop, 'db' | 'now' | 'config'>

export interface Invited {
  readonly id: string
  /** The only place where the token appears; the database has its hash. */
  readonly link: string
  readonly expiresAt: Date
  readonly isMailed: boolean
}

/**
 * A link that works once. If the address has an account, the link adds a passkey to it, for staff who lost their
 * passkeys and recovery codes. Earlier links to the address stop working.
 */
export async function inviteToOffice(
  shop: Inviting,
  { email, role, by }: { readonly email: string; readonly role: Role; readonly by: string },
): Promise<Invited> {
  const { db, config } = shop
  const isMailed = config.demo || config.smtpUrl !== undefined
  return db.transaction(async (tx) => {
    const { row, token } = await newInvitation(tx, shop, { email, role, by, openMs: OPEN_MS })
    if (isMailed)
      await queueMail(tx, {
        to: email,
        kind: 'office_invitation',
        key: `office_invitation:${row.id}`,
        data: { token, by, until: row.expiresAt.toISOString() },
      })
    return { id: row.id, link: linkOf(shop, token), expiresAt: row.expiresAt, isMailed }
  })
}

/** The link that a demo prints when it starts: it works in a browser on this machine only. */
export async function inviteOnThisMachine(shop: Inviting, email: string): Promise<string> {
  const { token } = await newInvitation(shop.db, shop, {
    email,
    role: 'owner',
    by: 'npm start',
    openMs: OPEN_ON_THIS_MACHINE_MS,
    thisMachineOnly: true,
  })
  return linkOf(shop, token)
}

async function newInvitation(
  db: Inviting['db'],
  { now }: Inviting,
  {
    email,
    role,
    by,
    openMs,
    thisMachineOnly = false,
  }: {
    readonly email: string
    readonly role: Role
    readonly by: string
    readonly openMs: number
    readonly thisMachineOnly?: boolean
  },
): Promise<{ row: InvitationRow; token: string }> {
  const token = randomBytes(32).toString('base64url')
  await withdrawInvitations(db, { email }, now())
  const row = await insertInvitation(db, {
    email: email.trim(),
    role,
    tokenHash: hashOfToken(token),
    invitedBy: by,
    thisMachineOnly,
    createdAt: now(),
    expiresAt: new Date(now().getTime() + openMs),
  })
  return { row, token }
}

/** In the fragment, which no server, proxy or log sees. */
const linkOf = ({ config }: Pick<Shop, 'config'>, token: string): string =>
  `${officeOrigins(config).at(-1)}/office/welcome#${token}`

/** @throws 410 for a link that was used, replaced or is too old */
export async function invitationOf(
  { db, now }: Inviting,
  token: string,
  isFromThisMachine: boolean,
): Promise<InvitationRow> {
  const found = await selectInvitationByToken(db, hashOfToken(token), now())
  if (!found || (found.thisMachineOnly && !isFromThisMachine))
    throw gone('This link was used already, or is too old. Ask whoever sent it for a new one.')
  return found
}
