import * as contract from '#contract/office/members.ts'
import { planInWords, type Plans } from '#contract/plans.ts'
import { type Role, roleMay } from '#contract/office/permissions.ts'
import { graceEnd } from '../../features/membership/failed-payments.ts'
import { nextPaymentOf } from '../../features/membership/next-payment.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { day } from '../../settings/days.ts'
import { exportList } from '../csv.ts'
import { daySpan } from '../day-span.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { readParts, readSort } from '../list-query.ts'
import {
  isMemberSort,
  MEMBER_PLACES,
  type MemberFilter,
  type OfficeMember,
  selectOfficeMembers,
  sumOfficeMembers,
} from './queries.ts'

export function registerOfficeMembers(server: ApiServer): void {
  const { shop } = server
  const { shopZone, details } = shop.config
  const filterOf = ({
    since,
    ...filter
  }: Omit<MemberFilter, 'since'> & { readonly since?: string }): MemberFilter => ({
    ...filter,
    since: since === undefined ? undefined : daySpan(since, shop.clock.now(), shopZone),
  })

  serve(server, contract.listMembers, async ({ query, staff: { role } }) => {
    const { after, limit = 50, sort: typed, part, ...filters } = query
    const filter = filterOf(filters)
    const sort = readSort(typed, 'next', isMemberSort)
    const now = shop.clock.now()
    const place = readPlace(after, { value: MEMBER_PLACES[sort.key], id: 'uuid' })
    const [found, totals] = await readParts(
      part,
      () => selectOfficeMembers(shop.db, filter, { now, sort, after: place, limit: limit + 1 }),
      async () => {
        const { count, monthMinor } = await sumOfficeMembers(shop.db, filter, { now, plans: details.plans })
        return { total: count, sums: { monthMinor } }
      },
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map((row) => listedMember(row, details.plans, role)),
      next: last ? writePlace({ value: last.value, id: last.id }) : null,
      ...totals,
    }
  })
  serve(server, contract.exportMembers, async ({ query: { sort, ...filters }, ...call }) => {
    const filter = filterOf(filters)
    const part = { now: shop.clock.now(), sort: readSort(sort, 'next', isMemberSort) }
    return exportList(shop, call, {
      count: (await sumOfficeMembers(shop.db, filter, { now: part.now, plans: details.plans })).count,
      fetchPage: (after, limit) => selectOfficeMembers(shop.db, filter, { ...part, after, limit }),
      placeOf: ({ id, value }) => ({ id, value }),
      list: 'members',
      head: ['Name', 'Email', 'Plan', 'State', 'Since', 'Until', 'Next payment', 'Next £', 'To choose'],
      cells: (row) => {
        const { name, email, plan, state, since, until, next, toChoose } = listedMember(
          row,
          details.plans,
          call.staff.role,
        )
        return [
          name,
          email,
          plan,
          state,
          day(new Date(since), shopZone),
          day(new Date(until), shopZone),
          next ? day(new Date(next.at), shopZone) : '',
          next ? (next.minor / 100).toFixed(2) : '',
          toChoose,
        ]
      },
    })
  })
}

function listedMember(
  { id, name, email, state, row, refused, toChoose, reason, emailId }: OfficeMember,
  plans: Plans,
  role: Role,
) {
  const next = state === 'lapsed' ? null : nextPaymentOf(row, plans)
  return {
    id: row.userId && id,
    name: name || email || 'Account closed',
    email,
    plan: planInWords(plans[row.plan]),
    state,
    since: row.orderedAt.toISOString(),
    until: row.validUntil.toISOString(),
    next: next && { at: next.at.toISOString(), minor: next.amountMinor },
    refused,
    failing:
      state === 'failing'
        ? {
            reason,
            benefitsUntil: row.paymentFailedAt && graceEnd(row.paymentFailedAt).toISOString(),
            act: emailId && roleMay(role, 'emails.send') ? emailAgain(emailId) : null,
          }
        : null,
    toChoose,
  }
}

/** The email leads to the form for another card, or to the bank. */
const emailAgain = (target: string) => ({ kind: 'send-email' as const, target, label: 'Email them again' })
