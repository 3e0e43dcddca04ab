import Type, { type Static } from 'typebox'
import { Email, Instant, nullable, Uuid } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'
import { RoleName } from './session.ts'

export const Colleague = Type.Object({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  passkeys: Type.Array(Type.String()),
  recoveryCodesLeft: Type.Integer(),
  lastSeenAt: nullable(Instant),
  isSignedIn: Type.Boolean(),
})
export type Colleague = Static<typeof Colleague>

export const Invitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: RoleName,
  invitedBy: Type.String(),
  expiresAt: Instant,
})
export type Invitation = Static<typeof Invitation>

/** The link is in the reply for the owner to hand over; it is never stored, and shown once. */
const Invited = Type.Object({ id: Uuid, link: Type.String(), isMailed: Type.Boolean(), expiresAt: Instant })
const Id = Type.Object({ id: Uuid })

export const getTeam = officeEndpoint({
  method: 'GET',
  path: '/api/office/team',
  summary: 'Who runs the shop',
  may: 'team.read',
  reply: Type.Object({ people: Type.Array(Colleague), invitations: Type.Array(Invitation) }),
})
export const invite = officeEndpoint({
  method: 'POST',
  path: '/api/office/team/invitations',
  summary: 'Invite somebody to the office',
  may: 'team.change',
  fresh: true,
  status: 201,
  body: Type.Object({ email: Email, role: RoleName }),
  reply: Invited,
})
export const inviteAgain = officeEndpoint({
  method: 'POST',
  path: '/api/office/team/invitations/{id}/again',
  summary: 'Send an invitation again, with a new link',
  may: 'team.change',
  fresh: true,
  params: Id,
  reply: Invited,
})
export const withdrawInvitation = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/team/invitations/{id}',
  summary: 'Withdraw an invitation',
  may: 'team.change',
  params: Id,
  status: 204,
})
export const changeRole = officeEndpoint({
  method: 'PATCH',
  path: '/api/office/team/{id}',
  summary: 'Change somebody’s role',
  may: 'team.change',
  fresh: true,
  params: Id,
  body: Type.Object({ role: RoleName }),
  reply: Type.Object({ entry: nullable(Type.Integer()), role: RoleName }),
})
export const removeColleague = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/team/{id}',
  summary: 'Take somebody off the team, and end their sessions',
  may: 'team.change',
  fresh: true,
  params: Id,
  status: 204,
})
export const signOutColleague = officeEndpoint({
  method: 'POST',
  path: '/api/office/team/{id}/sign-out',
  summary: 'End all sessions of somebody',
  may: 'team.change',
  params: Id,
  status: 204,
})
