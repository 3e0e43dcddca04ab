import { randomBytes } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ROLE_WORDS, type Role } from '#contract/office/permissions.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { FRESH_MS, hashOfToken, isFresh, type StaffCaller } from '../../auth/staff.ts'
import { selectStaffSession } from '../../auth/staff-queries.ts'
import { confirmAgain, forbidden, gone, notFound, refused } from '../../http/http-errors.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { act } from '../activity/service.ts'
import { inviteToOffice, invitationOf } from './invitations.ts'
import { countAttempt, countRecovery } from './limits.ts'
import type { Answered } from '../../auth/webauthn.ts'
import { verifyNewPasskey, verifyPasskey } from './passkeys.ts'
import {
  deletePasskey,
  endStaffSessions,
  insertPasskey,
  insertStaff,
  insertStaffSession,
  selectOpenInvitation,
  selectOpenInvitations,
  selectOtherOwners,
  selectPasskeys,
  selectRecoveryCodesLeft,
  selectSignedIn,
  selectStaff,
  selectStaffAt,
  selectTeam,
  type StaffRow,
  updateConfirmed,
  updateStaff,
  useInvitation,
  useRecoveryCode,
  withdrawInvitations,
} from './queries.ts'
import { giveRecoveryCodes, recoveryHashes } from './recovery-codes.ts'

export const SESSION_MS = 12 * HOUR_MS
/** After signing in with a recovery code, a new passkey can be added for this long. */
const RECOVERY_MS = 15 * MINUTE_MS

type Signing = Pick<Shop, 'db' | 'now' | 'config' | 'log'>

export interface Visit {
  readonly address: string
  readonly userAgent: string | undefined
}

/** A new session's token, for the cookie. */
async function openSession(
  { db, now }: Signing,
  staffId: string,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<{ token: string; caller: StaffCaller }> {
  const token = randomBytes(32).toString('base64url')
  const at = now()
  await insertStaffSession(db, {
    staffId,
    tokenHash: hashOfToken(token),
    createdAt: at,
    endsAt: new Date(at.getTime() + SESSION_MS),
    confirmedAt: isConfirmed ? at : null,
  })
  const caller = await selectStaffSession(db, hashOfToken(token), at)
  if (!caller) throw forbidden()
  return { token, caller }
}

export async function signInByPasskey(shop: Signing, answered: Answered, { address }: Visit) {
  await countAttempt(shop, address)
  const person = await verifyPasskey(shop, 'sign-in', null, answered).catch((error: unknown) => {
    noteSecurity(shop, 'office_sign_in_failed', { address })
    throw error
  })
  noteSecurity(shop, 'office_sign_in', { userId: person.id, address })
  return openSession(shop, person.id, { isConfirmed: true })
}

/** @throws 403 with the same message for a wrong code and an unknown address */
export async function signInByRecoveryCode(
  shop: Signing,
  { email, code }: { readonly email: string; readonly code: string },
  { address }: Visit,
) {
  await countRecovery(shop, address, email)
  const person = await selectStaffAt(shop.db, email)
  const isRight =
    person && (await useRecoveryCode(shop.db, person.id, recoveryHashes(shop, code), shop.now()))
  if (!isRight) {
    noteSecurity(shop, 'office_sign_in_failed', { email, address })
    throw forbidden('This address and code don’t go together, or the code was used already.')
  }
  noteSecurity(shop, 'office_recovery', { userId: person.id, address })
  const { token, caller } = await openSession(shop, person.id, { isConfirmed: false })
  await queueMail(shop.db, {
    to: person.email,
    kind: 'office_recovery_used',
    key: `office_recovery_used:${caller.sessionId}`,
    data: { name: person.name },
  })
  return { token, caller }
}

/** Signed in by a recovery code, and no passkey was used since. */
export const isByRecovery = ({ confirmedAt }: StaffCaller): boolean => confirmedAt === null

const mayAddPasskey = (caller: StaffCaller, now: Date): boolean =>
  isFresh(caller, now) || (isByRecovery(caller) && now.getTime() - caller.createdAt.getTime() < RECOVERY_MS)

export async function confirmByPasskey(
  shop: Signing,
  caller: StaffCaller,
  answered: Answered,
): Promise<StaffCaller> {
  await verifyPasskey(shop, 'confirm', caller.staffId, answered)
  const confirmedAt = shop.now()
  await updateConfirmed(shop.db, caller.sessionId, confirmedAt)
  return { ...caller, confirmedAt }
}

export async function acceptInvitation(
  shop: Signing,
  { token, name, ...answered }: Answered & { readonly token: string; readonly name: string },
  { address, userAgent, isFromThisMachine }: Visit & { readonly isFromThisMachine: boolean },
) {
  await countAttempt(shop, address)
  const invitation = await invitationOf(shop, token, isFromThisMachine)
  const passkey = await verifyNewPasskey(shop, 'accept', invitation.id, answered, userAgent)
  const now = shop.now()
  const { person, recoveryCodes, isNew } = await shop.db.transaction(async (tx) => {
    if (!(await useInvitation(tx, invitation.id, now))) throw gone('This link was used already.')
    const known = await selectStaffAt(tx, invitation.email)
    const row =
      known ??
      (await insertStaff(tx, {
        email: invitation.email,
        name: name.trim(),
        role: invitation.role,
        createdAt: now,
      }))
    await insertPasskey(tx, { ...passkey, staffId: row.id })
    return { person: row, recoveryCodes: await giveRecoveryCodes(tx, shop, row.id), isNew: !known }
  })
  noteSecurity(shop, 'office_passkey_added', { userId: person.id, address })
  await act(
    shop,
    { staffId: person.id, name: person.name },
    {
      kind: 'office accept',
      about: `staff ${person.email}`,
      what: isNew
        ? `Joined as ${ROLE_WORDS[person.role].name.toLowerCase()}, invited by ${invitation.invitedBy}`
        : `Added a passkey by a link from ${invitation.invitedBy}`,
      carryOut: async () => undefined,
    },
  )
  return { ...(await openSession(shop, person.id, { isConfirmed: true })), recoveryCodes }
}

export async function addPasskey(
  shop: Signing,
  caller: StaffCaller,
  answered: Answered,
  { address, userAgent }: Visit,
): Promise<StaffCaller> {
  if (!mayAddPasskey(caller, shop.now())) throw confirmAgain()
  const passkey = await verifyNewPasskey(shop, 'add', caller.staffId, answered, userAgent)
  await act(shop, caller, {
    kind: 'office passkey',
    about: `staff ${caller.email}`,
    what: `Added a passkey: ${passkey.name}`,
    carryOut: () => insertPasskey(shop.db, { ...passkey, staffId: caller.staffId }),
  })
  noteSecurity(shop, 'office_passkey_added', { userId: caller.staffId, address })
  const confirmedAt = shop.now()
  await updateConfirmed(shop.db, caller.sessionId, confirmedAt)
  return { ...caller, confirmedAt }
}

/** @throws 403 `confirm-again` before the browser makes a passkey that could not be added */
export function refuseNewPasskey({ now }: Pick<Shop, 'now'>, caller: StaffCaller): void {
  if (!mayAddPasskey(caller, now())) throw confirmAgain()
}

export async function removePasskey(shop: Signing, caller: StaffCaller, id: string): Promise<void> {
  const own = await selectPasskeys(shop.db, [caller.staffId])
  const passkey = own.find((each) => each.id === id)
  if (!passkey) throw notFound()
  if (own.length === 1) throw refused('This is your only passkey. Add another one first.')
  await act(shop, caller, {
    kind: 'office passkey',
    about: `staff ${caller.email}`,
    what: `Removed a passkey: ${passkey.name}`,
    carryOut: () => deletePasskey(shop.db, caller.staffId, id),
  })
}

export async function renewRecoveryCodes(shop: Signing, caller: StaffCaller): Promise<string[]> {
  const { result } = await act(shop, caller, {
    kind: 'office recovery-codes',
    about: `staff ${caller.email}`,
    what: 'Made ten new recovery codes',
    carryOut: () => shop.db.transaction((tx) => giveRecoveryCodes(tx, shop, caller.staffId)),
  })
  return result
}

export async function changeOwnRecord(
  { db }: Signing,
  caller: StaffCaller,
  { name, singleKeys }: { readonly name?: string; readonly singleKeys?: boolean },
): Promise<StaffCaller> {
  const change = {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(singleKeys === undefined ? {} : { singleKeys }),
  }
  if (Object.keys(change).length > 0) await updateStaff(db, caller.staffId, change)
  return { ...caller, ...change }
}

export const signOut = ({ db, now }: Signing, { sessionId }: StaffCaller): Promise<number> =>
  endStaffSessions(db, { sessionId }, now())

export async function meOf({ db, now }: Pick<Shop, 'db' | 'now'>, caller: StaffCaller) {
  const { staffId, name, email, role, endsAt, confirmedAt, singleKeys } = caller
  const passkeys = await selectPasskeys(db, [staffId])
  const left = await selectRecoveryCodesLeft(db, [staffId])
  return {
    id: staffId,
    name,
    email,
    role,
    endsAt: endsAt.toISOString(),
    freshUntil:
      confirmedAt && isFresh(caller, now()) ? new Date(confirmedAt.getTime() + FRESH_MS).toISOString() : null,
    passkeys: passkeys.length,
    recoveryCodesLeft: left.get(staffId) ?? 0,
    byRecovery: isByRecovery(caller),
    singleKeys,
  }
}

export async function teamOf({ db, now }: Pick<Shop, 'db' | 'now'>) {
  const people = await selectTeam(db)
  const ids = people.map(({ id }) => id)
  const [passkeys, codesLeft, signedIn, invitations] = await Promise.all([
    ids.length === 0 ? [] : selectPasskeys(db, ids),
    ids.length === 0 ? new Map<string, number>() : selectRecoveryCodesLeft(db, ids),
    selectSignedIn(db, now()),
    selectOpenInvitations(db, now()),
  ])
  return {
    people: people.map((person) => ({
      ...person,
      passkeys: passkeys.filter(({ staffId }) => staffId === person.id).map(({ name }) => name),
      recoveryCodesLeft: codesLeft.get(person.id) ?? 0,
      isSignedIn: signedIn.has(person.id),
    })),
    invitations,
  }
}

/** Null for the owner's command on the server's machine. */
interface Inviter {
  readonly staffId: string | null
  readonly name: string
}

/** @throws 422 for an address that is on the team: its owner invites it again with `npm run murmur -- office invite` */
export async function inviteColleague(
  shop: Signing,
  by: Inviter,
  { email, role }: { readonly email: string; readonly role: Role },
) {
  if (await selectStaffAt(shop.db, email)) throw refused(`${email} is on the team already.`)
  const { result } = await act(shop, by, {
    kind: 'office invite',
    about: `staff ${email}`,
    what: `Invited ${email} as ${ROLE_WORDS[role].name.toLowerCase()}`,
    carryOut: () => inviteToOffice(shop, { email, role, by: by.name }),
  })
  return result
}

/** A new link for the same address, to join or, if it is on the team, to add a passkey. */
export async function inviteAgain(shop: Signing, by: Inviter, invitationId: string) {
  const invitation = await selectOpenInvitation(shop.db, invitationId, shop.now())
  if (!invitation) throw notFound()
  const { email, role } = invitation
  const { result } = await act(shop, by, {
    kind: 'office invite',
    about: `staff ${email}`,
    what: `Invited ${email} again`,
    carryOut: () => inviteToOffice(shop, { email, role, by: by.name }),
  })
  return result
}

export async function withdrawInvitation(shop: Signing, by: Inviter, id: string): Promise<void> {
  const invitation = await selectOpenInvitation(shop.db, id, shop.now())
  if (!invitation) throw notFound()
  await act(shop, by, {
    kind: 'office withdraw-invitation',
    about: `staff ${invitation.email}`,
    what: `Withdrew the invitation of ${invitation.email}`,
    carryOut: () => withdrawInvitations(shop.db, { id }, shop.now()),
  })
}

/** @throws 422 if no member of staff could change the team afterwards */
export async function changeRole(
  shop: Signing,
  by: Inviter,
  { id, role, undoes }: { readonly id: string; readonly role: Role; readonly undoes?: number },
): Promise<number | null> {
  const person = await colleague(shop, id)
  if (person.role === role) return null
  const { entry } = await act(shop, by, {
    kind: 'office role',
    about: `staff ${person.email}`,
    what: `Made ${person.name} ${ROLE_WORDS[role].name.toLowerCase()}`,
    before: person.role,
    after: role,
    ...(undoes === undefined ? {} : { undoes }),
    carryOut: () => setRole(shop, person, role),
  })
  return entry
}

export async function setRole({ db }: Pick<Shop, 'db'>, person: StaffRow, role: Role): Promise<void> {
  await db.transaction(async (tx) => {
    if (role !== 'owner') await refuseLastOwner(tx, person)
    await updateStaff(tx, person.id, { role })
  })
}

export async function removeColleague(shop: Signing, by: Inviter, id: string): Promise<StaffRow> {
  const person = await colleague(shop, id)
  await act(shop, by, {
    kind: 'office remove',
    about: `staff ${person.email}`,
    what: `Took ${person.name} off the team`,
    carryOut: () => takeOffTeam(shop, person),
  })
  return person
}

export async function takeOffTeam({ db, now }: Pick<Shop, 'db' | 'now'>, person: StaffRow): Promise<void> {
  await db.transaction(async (tx) => {
    await refuseLastOwner(tx, person)
    await updateStaff(tx, person.id, { removedAt: now() })
    await endStaffSessions(tx, { staffId: person.id }, now())
  })
}

export async function signOutColleague(shop: Signing, by: Inviter, id: string): Promise<number> {
  const person = await colleague(shop, id)
  const { result } = await act(shop, by, {
    kind: 'office log-out',
    about: `staff ${person.email}`,
    what: `Signed ${person.name} out everywhere`,
    carryOut: () => endStaffSessions(shop.db, { staffId: id }, shop.now()),
  })
  return result
}

async function colleague({ db }: Pick<Shop, 'db'>, id: string): Promise<StaffRow> {
  const person = await selectStaff(db, id)
  if (!person) throw notFound()
  return person
}

async function refuseLastOwner(tx: Db, person: StaffRow) {
  if (person.role === 'owner' && (await selectOtherOwners(tx, person.id)) === 0)
    throw refused(`${person.name} is the only owner. Make somebody else an owner first.`)
}
