import { userInfo } from 'node:os'
import { Command } from '@commander-js/extra-typings'
import { type Role, ROLES, ROLE_WORDS } from '#contract/office/permissions.ts'
import { isEmailAddress } from '#contract/limits.ts'
import { inviteToOffice } from '../features/staff/invitations.ts'
import { endStaffSessions, selectStaffAt, type StaffRow } from '../features/staff/queries.ts'
import { takeOffTeam, teamOf } from '../features/staff/service.ts'
import { act } from '../features/activity/service.ts'
import { notFound } from '../http/http-errors.ts'
import { tableOr } from '../print/table.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { minute } from '../settings/days.ts'
import type { Shop } from '../shop.ts'
import { changeCommand, type Group, group, showCommand } from './command-line.ts'
import type { Change, Shown } from './frame.ts'

export const officeCommand: Group = ({ print, show, change }) =>
  group('office', [
    new Command('invite')
      .description(
        'Prints a link with which somebody joins the office and makes a passkey, and emails it if the shop sends mail. For somebody on the team it adds a passkey: the way back if all of theirs are lost',
      )
      .argument('<address>')
      .option('--role <role>', `One of ${ROLES.join(', ')}`, roleOf, 'owner' as Role)
      .action((address, { role }) => print((shop) => invite(shop, address, role))),
    showCommand('list')
      .description('Lists who runs the shop in the office, and who is invited')
      .action((options) => show(options, list)),
    changeCommand('remove')
      .description('Takes somebody off the team, and ends their sessions')
      .argument('<address>')
      .action((address, options) => change(options, (shop) => remove(shop, address))),
    changeCommand('log-out')
      .description('Ends all sessions of somebody, for instance after a laptop was stolen')
      .argument('<address>')
      .action((address, options) => change(options, (shop) => logOut(shop, address))),
  ])

function roleOf(typed: string): Role {
  const role = ROLES.find((each) => each === typed)
  if (!role) throw new BadSetting(`--role is one of ${ROLES.join(', ')}, not “${typed}”.`)
  return role
}

async function invite(shop: Shop, address: string, role: Role): Promise<string[]> {
  if (!isEmailAddress(address)) throw new BadSetting(`“${address}” is no email address.`)
  const known = await selectStaffAt(shop.db, address)
  const by = userInfo().username
  const { result } = await act(
    shop,
    { staffId: null, name: by },
    {
      kind: 'office invite',
      about: `staff ${address}`,
      what: known ? `Made a link for a new passkey of ${address}` : `Invited ${address} as ${role}`,
      carryOut: () => inviteToOffice(shop, { email: address, role: known?.role ?? role, by }),
    },
  )
  return [
    result.link,
    `It works once, until ${minute(result.expiresAt, shop.config.shopZone)}, for ${
      known ? `a new passkey of ${known.name}` : `${address} as ${ROLE_WORDS[role].name.toLowerCase()}`
    }.${result.isMailed ? ' It was emailed, too.' : ' No mail is set up, so hand it over yourself.'}`,
  ]
}

async function list(shop: Shop): Promise<Shown> {
  const { people, invitations } = await teamOf(shop)
  const zone = shop.config.shopZone
  return {
    lines: tableOr('Nobody has joined the office yet: npm run murmur -- office invite ADDRESS', [
      ...people.map(({ name, email, role, passkeys, lastSeenAt }) => [
        name,
        email,
        role,
        `${passkeys.length} ${passkeys.length === 1 ? 'passkey' : 'passkeys'}`,
        lastSeenAt ? `seen ${minute(lastSeenAt, zone)}` : 'not seen yet',
      ]),
      ...invitations.map(({ email, role, expiresAt }) => [
        '',
        email,
        role,
        'invited',
        `until ${minute(expiresAt, zone)}`,
      ]),
    ]),
    json: {
      people: people.map(({ id, name, email, role, passkeys, lastSeenAt }) => ({
        id,
        name,
        email,
        role,
        passkeys: passkeys.length,
        lastSeenAt,
      })),
      invitations: invitations.map(({ id, email, role, expiresAt }) => ({ id, email, role, expiresAt })),
    },
  }
}

async function colleagueAt({ db }: Shop, address: string): Promise<StaffRow> {
  const person = await selectStaffAt(db, address)
  if (!person) throw notFound(`Nobody on the team has the address ${address}: npm run murmur -- office list`)
  return person
}

async function remove(shop: Shop, address: string): Promise<Change> {
  const person = await colleagueAt(shop, address)
  return {
    about: `staff ${person.email}`,
    what: `Took ${person.name} off the team`,
    will: [`${person.name} can’t sign in to the office any more, and is signed out everywhere.`],
    carryOut: async () => {
      await takeOffTeam(shop, person)
      return { lines: [`${person.name} is off the team.`], json: { id: person.id } }
    },
  }
}

async function logOut(shop: Shop, address: string): Promise<Change> {
  const person = await colleagueAt(shop, address)
  return {
    about: `staff ${person.email}`,
    what: `Signed ${person.name} out everywhere`,
    will: [`${person.name} is signed out of the office on every device. Their passkeys stay.`],
    carryOut: async () => {
      const ended = await endStaffSessions(shop.db, { staffId: person.id }, shop.now())
      return { lines: [`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`], json: { ended } }
    },
  }
}
