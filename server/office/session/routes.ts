import type { FastifyReply } from 'fastify'
import * as contract from '#contract/office/session.ts'
import { isFromThisMachine } from '../../auth/this-machine.ts'
import { type StaffCaller, staffCookie } from '../../auth/staff.ts'
import { type ApiServer, type Call, serve } from '../../http/serve.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { invitationOf } from '../../features/staff/invitations.ts'
import { countBeginning } from '../../features/staff/limits.ts'
import { newPasskeyOptions, passkeyRequest } from '../../features/staff/passkeys.ts'
import { selectPasskeys, selectStaffAt } from '../../features/staff/queries.ts'
import * as staff from '../../features/staff/service.ts'

export function registerSession(server: ApiServer): void {
  const { shop } = server

  const signedIn = async (reply: FastifyReply, { token, caller }: { token: string; caller: StaffCaller }) => {
    reply.header('set-cookie', staffCookie(shop.config, token, staff.SESSION_MS / 1000))
    return staff.meOf(shop, caller)
  }

  serve(server, contract.getMe, ({ staff: caller }) => staff.meOf(shop, caller))
  serve(server, contract.changeMe, async ({ staff: caller, body }) =>
    staff.meOf(shop, await staff.changeOwnRecord(shop, caller, body)),
  )

  serve(server, contract.signInOptions, async ({ request }) => {
    await countBeginning(shop, request.ip)
    return asOptions(await passkeyRequest(shop, 'sign-in', null))
  })
  serve(server, contract.signIn, async ({ body, reply, ...call }) =>
    signedIn(reply, await staff.signInByPasskey(shop, body, visitOf(call))),
  )
  serve(server, contract.signInByRecovery, async ({ body, reply, ...call }) =>
    signedIn(reply, await staff.signInByRecoveryCode(shop, body, visitOf(call))),
  )
  serve(server, contract.signOut, async ({ staff: caller, reply }) => {
    await staff.signOut(shop, caller)
    reply.header('set-cookie', staffCookie(shop.config, '', 0))
    return undefined
  })

  serve(server, contract.confirmOptions, async ({ staff: caller }) =>
    asOptions(await passkeyRequest(shop, 'confirm', caller.staffId)),
  )
  serve(server, contract.confirm, async ({ staff: caller, body }) =>
    staff.meOf(shop, await staff.confirmByPasskey(shop, caller, body)),
  )

  serve(server, contract.openInvitation, async ({ body: { token }, request }) => {
    await countBeginning(shop, request.ip)
    const { email, role } = await invitationOf(shop, token, isFromThisMachine(request.raw))
    const known = await selectStaffAt(shop.db, email)
    return { email, role: known?.role ?? role, name: known?.name ?? null }
  })
  serve(server, contract.invitationOptions, async ({ body: { token, name }, request }) => {
    await countBeginning(shop, request.ip)
    const { id, email } = await invitationOf(shop, token, isFromThisMachine(request.raw))
    const known = await selectStaffAt(shop.db, email)
    return asOptions(await newPasskeyOptions(shop, 'accept', id, known ?? { email, name }))
  })
  serve(server, contract.acceptInvitation, async ({ body, reply, ...call }) => {
    const isHere = isFromThisMachine(call.request.raw)
    const { recoveryCodes, ...session } = await staff.acceptInvitation(shop, body, {
      ...visitOf(call),
      isFromThisMachine: isHere,
    })
    return { me: await signedIn(reply, session), recoveryCodes }
  })

  serve(server, contract.listPasskeys, async ({ staff: { staffId, ...caller } }) => {
    const passkeys = await selectPasskeys(shop.db, [staffId])
    const { recoveryCodesLeft } = await staff.meOf(shop, { staffId, ...caller })
    return {
      recoveryCodesLeft,
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, isSynced }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        isSynced,
      })),
    }
  })
  serve(server, contract.passkeyOptions, async ({ staff: caller }) => {
    staff.refuseNewPasskey(shop, caller)
    return asOptions(await newPasskeyOptions(shop, 'add', caller.staffId, { ...caller, id: caller.staffId }))
  })
  serve(server, contract.addPasskey, async ({ staff: caller, body, ...call }) =>
    staff.meOf(shop, await staff.addPasskey(shop, caller, body, visitOf(call))),
  )
  serve(server, contract.removePasskey, async ({ staff: caller, params }) => {
    await staff.removePasskey(shop, caller, params.id)
    return undefined
  })
  serve(server, contract.renewRecoveryCodes, async ({ staff: caller }) => ({
    recoveryCodes: await staff.renewRecoveryCodes(shop, caller),
  }))
}

const visitOf = ({ request }: Pick<Call<Endpoint>, 'request'>): staff.Visit => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
})

/** The library's options are plain JSON, of a type with no index signature. */
const asOptions = <Options extends object>({
  challengeId,
  options,
}: {
  readonly challengeId: string
  readonly options: Options
}) => ({ challengeId, options: Object.fromEntries(Object.entries(options)) })
