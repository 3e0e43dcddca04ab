import * as contract from '#contract/office/team.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import * as staff from '../../features/staff/service.ts'

export function registerTeam(server: ApiServer): void {
  const { shop } = server

  serve(server, contract.getTeam, async () => {
    const { people, invitations } = await staff.teamOf(shop)
    return {
      people: people.map(
        ({ id, name, email, role, passkeys, recoveryCodesLeft, lastSeenAt, isSignedIn }) => ({
          id,
          name,
          email,
          role,
          passkeys,
          recoveryCodesLeft,
          lastSeenAt: lastSeenAt?.toISOString() ?? null,
          isSignedIn,
        }),
      ),
      invitations: invitations.map(({ id, email, role, invitedBy, expiresAt }) => ({
        id,
        email,
        role,
        invitedBy,
        expiresAt: expiresAt.toISOString(),
      })),
    }
  })
  serve(server, contract.invite, async ({ staff: by, body }) =>
    invitedReply(await staff.inviteColleague(shop, by, body)),
  )
  serve(server, contract.inviteAgain, async ({ staff: by, params }) =>
    invitedReply(await staff.inviteAgain(shop, by, params.id)),
  )
  serve(server, contract.withdrawInvitation, async ({ staff: by, params }) => {
    await staff.withdrawInvitation(shop, by, params.id)
    return undefined
  })
  serve(server, contract.changeRole, async ({ staff: by, params, body }) => ({
    entry: await staff.changeRole(shop, by, { id: params.id, role: body.role }),
    role: body.role,
  }))
  serve(server, contract.removeColleague, async ({ staff: by, params }) => {
    await staff.removeColleague(shop, by, params.id)
    return undefined
  })
  serve(server, contract.signOutColleague, async ({ staff: by, params }) => {
    await staff.signOutColleague(shop, by, params.id)
    return undefined
  })
}

const invitedReply = ({ expiresAt, ...invited }: Awaited<ReturnType<typeof staff.inviteColleague>>) => ({
  ...invited,
  expiresAt: expiresAt.toISOString(),
})
