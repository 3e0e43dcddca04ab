import * as contract from '#contract/office/people.ts'
import { planInWords } from '#contract/plans.ts'
import { forbidden, refused, unprocessable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { act, type Act } from '../../features/activity/service.ts'
import type { Person } from '../../features/account/queries.ts'
import {
  blockPerson,
  confirmPerson,
  logOutPerson,
  refuseBlocked,
  refuseConfirmed,
  refuseDesk,
  refuseNotBlocked,
  unblockPerson,
} from '../../features/account/support.ts'
import { openView } from '../../features/account/sessions.ts'
import { correctAddress } from '../../features/account/change-email.ts'
import { exportView, ownData } from '../../features/account/data-export.ts'
import { closeAccount, previewDeletion } from '../../features/account/delete-account.ts'
import { repeatMail } from '../../features/mails/repeat.ts'
import { endingsInWords } from '../../features/membership/account-closing.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import { formatPounds } from '../../format.ts'
import { counted } from '../../print/table.ts'
import { day } from '../../settings/days.ts'
import { exportList } from '../csv.ts'
import { daySpan } from '../day-span.ts'
import { readPlace, writePlace } from '../keyset.ts'
import {
  countOfficePeople,
  isPeopleSort,
  PEOPLE_PLACES,
  type PeopleFilter,
  selectNote,
  selectOfficePeople,
  storeNote,
} from './queries.ts'
import { readParts, readSort } from '../list-query.ts'
import {
  fullName,
  listedPerson,
  listeningOf,
  listeningShownUntil,
  mailToPerson,
  personById,
  readPersonsEmail,
  wholePerson,
} from './service.ts'

export function registerOfficePeople(server: ApiServer): void {
  const { shop } = server
  const { shopZone, details } = shop.config
  const filterOf = ({
    since,
    ...filter
  }: Omit<PeopleFilter, 'since'> & { readonly since?: string }): PeopleFilter => ({
    ...filter,
    since: since === undefined ? undefined : daySpan(since, shop.now(), shopZone),
  })

  serve(server, contract.listPeople, async ({ query }) => {
    const { after, limit = 50, sort: typed, part, ...filters } = query
    const filter = filterOf(filters)
    const sort = readSort(typed, '-since', isPeopleSort)
    const now = shop.clock.now()
    const place = readPlace(after, { value: PEOPLE_PLACES[sort.key], id: 'uuid' })
    const [found, totals] = await readParts(
      part,
      () => selectOfficePeople(shop.db, filter, { now, sort, after: place, limit: limit + 1 }),
      async () => ({ total: await countOfficePeople(shop.db, filter, now), sums: {} }),
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map((row) => listedPerson(row, details.plans)),
      next: last ? writePlace({ value: last.value, id: last.id }) : null,
      ...totals,
    }
  })
  serve(server, contract.exportPeople, async ({ query: { sort, ...filters }, ...call }) => {
    const filter = filterOf(filters)
    const part = { now: shop.clock.now(), sort: readSort(sort, '-since', isPeopleSort) }
    return exportList(shop, call, {
      count: await countOfficePeople(shop.db, filter, part.now),
      fetchPage: (after, limit) => selectOfficePeople(shop.db, filter, { ...part, after, limit }),
      placeOf: ({ id, value }) => ({ id, value }),
      list: 'people',
      head: ['Name', 'Email', 'Confirmed', 'Country', 'Since', 'Bookshop', 'Plan', 'Membership', 'Titles'],
      cells: (row) => [
        row.name,
        row.email,
        row.confirmedAt ? 'yes' : 'no',
        row.country ?? '',
        day(row.createdAt, shopZone),
        row.bookshop ?? '',
        row.plan === null ? '' : planInWords(details.plans[row.plan]),
        row.memberState ?? '',
        row.titles,
      ],
    })
  })
  serve(server, contract.getPerson, ({ params }) => wholePerson(shop, params.id))
  serve(server, contract.seeListening, async ({ params, staff }) => {
    const person = await personById(shop, params.id)
    const until = await listeningShownUntil(shop, person.id)
    if (!until)
      throw forbidden(`What ${person.firstName} listens to isn’t shown. They can allow it for a day.`)
    const { result: titles } = await act(shop, staff, {
      kind: 'people listening',
      about: `account ${person.id}`,
      userId: person.id,
      what: 'Looked at what they listened to, as they allowed',
      carryOut: () => listeningOf(shop, person.id),
    })
    return { until: until.toISOString(), titles }
  })
  registerAccountActs(server)
  registerEmails(server)
  registerLeaving(server)
}

/** An act about one person, as `npm run people` writes it down. */
export async function actOnPerson(
  shop: ApiServer['shop'],
  staff: StaffCaller,
  person: Person,
  given: Omit<Act<unknown>, 'about' | 'userId'>,
): Promise<{ readonly what: string; readonly entry: number }> {
  const { entry } = await act(shop, staff, { ...given, about: `account ${person.id}`, userId: person.id })
  return { what: given.what, entry }
}

function registerAccountActs(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.confirmAddress, async ({ params, staff }) => {
    const person = await personById(shop, params.id)
    refuseConfirmed(person)
    return actOnPerson(shop, staff, person, {
      kind: 'people confirm',
      what: 'Confirmed the address',
      carryOut: () => confirmPerson(shop, person),
    })
  })
  serve(server, contract.correctAddress, async ({ params, body, staff }) => {
    const person = await personById(shop, params.id)
    refuseDesk(person, 'its address changes with the bookshop’s.')
    return actOnPerson(shop, staff, person, {
      kind: 'people correct-address',
      what: person.confirmedAt ? 'Asked a new address to confirm itself' : 'Corrected the address',
      carryOut: () => correctAddress(shop, person.id, body.email.trim()),
    })
  })
  serve(server, contract.logOutPerson, async ({ params, staff }) => {
    const person = await personById(shop, params.id)
    return actOnPerson(shop, staff, person, {
      kind: 'people log-out',
      what: 'Logged out everywhere',
      carryOut: () => logOutPerson(shop, person),
    })
  })
  serve(server, contract.blockPerson, async ({ params, body: { because }, staff }) => {
    const person = await personById(shop, params.id)
    refuseBlocked(person)
    return actOnPerson(shop, staff, person, {
      kind: 'people block',
      what: 'Blocked the account',
      because,
      carryOut: () => blockPerson(shop, person),
    })
  })
  serve(server, contract.unblockPerson, async ({ params, staff }) => {
    const person = await personById(shop, params.id)
    refuseNotBlocked(person)
    return actOnPerson(shop, staff, person, {
      kind: 'people unblock',
      what: 'Unblocked the account',
      carryOut: () => unblockPerson(shop, person),
    })
  })
  serve(server, contract.seeShopAs, async ({ params, staff }) => {
    const person = await personById(shop, params.id)
    refuseBlocked(person)
    const { result } = await act(shop, staff, {
      kind: 'people view',
      about: `account ${person.id}`,
      userId: person.id,
      what: 'Saw the shop as them, read only',
      carryOut: () => openView(shop, { userId: person.id, viewedBy: staff.name }),
    })
    const { token, endsAt } = result
    return { token, endsAt: endsAt.toISOString() }
  })
  serve(server, contract.writeNote, async ({ params, body, staff }) => {
    const person = await personById(shop, params.id)
    const text = body.text.trim()
    const before = await selectNote(shop.db, person.id)
    const { entry } = await actOnPerson(shop, staff, person, {
      kind: 'people note',
      what: text === '' ? 'Removed the private note' : 'Wrote the private note',
      before: before?.text ?? '',
      after: text,
      carryOut: () =>
        storeNote(shop.db, { userId: person.id, text, writtenBy: staff.name, writtenAt: shop.now() }),
    })
    return { entry }
  })
}

function registerEmails(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.readPersonsEmail, ({ params: { id, mail } }) => readPersonsEmail(shop, id, mail))
  serve(server, contract.sendPersonsEmail, async ({ params: { id, mail }, staff }) => {
    const person = await personById(shop, id)
    const row = await mailToPerson(shop, person, mail)
    await act(shop, staff, {
      kind: 'mails send-again',
      about: `mail ${row.key}`,
      userId: person.id,
      what: `Sent the email “${row.kind.replaceAll('_', ' ')}” again`,
      carryOut: () => repeatMail(shop, row),
    })
    return { to: person.email }
  })
}

function registerLeaving(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.planClosing, async ({ params }) => {
    const person = await personById(shop, params.id)
    refuseDesk(person, 'close the bookshop first.')
    const closing = await previewDeletion(shop, person.id)
    return {
      amountMinor: closing.amountMinor,
      lines: [
        'They are erased at once, with their titles, places and notes. This can’t be undone.',
        'Their orders stay, without a name.',
        ...endingsInWords(shop, closing).map(({ plan }) => `${plan} ends. Nothing more is charged.`),
        ...(closing.freeAudiobooks > 0
          ? [`${counted(closing.freeAudiobooks, 'free audiobook')} not chosen yet will be lost.`]
          : []),
        ...(closing.amountMinor > 0
          ? [`${formatPounds(closing.amountMinor)} of the last 14 days goes back to them.`]
          : []),
        'Presents that they gave still arrive. They are told by email that the account is closed.',
      ],
    }
  })
  serve(server, contract.closePerson, async ({ params, body, staff }) => {
    const person = await personById(shop, params.id)
    refuseDesk(person, 'close the bookshop first.')
    if (body.name.trim().toLowerCase() !== fullName(person).toLowerCase())
      throw unprocessable('name', `Type ${fullName(person)}.`)
    await actOnPerson(shop, staff, person, {
      kind: 'people close',
      what: 'Closed the account',
      because: body.because,
      carryOut: () => closeAccount(shop, person.id, body.shownMinor),
    })
    return undefined
  })
  serve(server, contract.exportPerson, async ({ params, staff, reply }) => {
    const person = await personById(shop, params.id)
    let file = ''
    await actOnPerson(shop, staff, person, {
      kind: 'people export',
      what: 'Exported all that is kept',
      carryOut: async () => {
        file = `${JSON.stringify(exportView(await ownData(shop, person.id)), null, 2)}\n`
      },
    })
    if (!file) throw refused('Nothing was exported.')
    await reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .send(file)
    return undefined
  })
}
