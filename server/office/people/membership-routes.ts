import { randomUUID } from 'node:crypto'
import * as contract from '#contract/office/people.ts'
import { monthsInWords, planInWords, type PlanId } from '#contract/plans.ts'
import { refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Undoable } from '../../features/activity/service.ts'
import { cancelMembership } from '../../features/membership/change-plan.ts'
import {
  defaultCreditEnd,
  endMembership,
  giveCredits,
  giveMonths,
  membershipToEnd,
  takeBackCredits,
  whyCreditsStay,
  whyNotCancelled,
} from '../../features/membership/owner-actions.ts'
import { counted } from '../../print/table.ts'
import { day, startOfDay } from '../../settings/days.ts'
import { actOnPerson } from './routes.ts'
import { personById } from './service.ts'
import { storeNote } from './queries.ts'

/** Each tier's monthly plan. */
const GIVEN = { supporter: 6, reader: 4, avid: 1 } as const satisfies Readonly<Record<string, PlanId>>

export function registerPeoplesMemberships(server: ApiServer): void {
  const { shop } = server
  const { shopZone, details } = shop.config

  serve(
    server,
    contract.giveAudiobooks,
    async ({ params, body: { count, until: typed, because }, staff }) => {
      const person = await personById(shop, params.id)
      const until = typed === undefined ? defaultCreditEnd(shop) : startOfDay(typed, shopZone, 1)
      if (until <= shop.clock.now()) throw refused('That day is over.')
      const ids = Array.from({ length: count }, () => randomUUID())
      const lastDay = day(new Date(until.getTime() - 1), shopZone)
      return actOnPerson(shop, staff, person, {
        kind: 'people credit',
        what: `Gave ${counted(count, 'free audiobook')} until ${lastDay}`,
        ...(because && { because }),
        after: { until: lastDay, ids: ids.join(' ') },
        carryOut: () => giveCredits(shop, { userId: person.id, ids, until }),
      })
    },
  )
  serve(server, contract.givePersonMonths, async ({ params, body: { months, tier, because }, staff }) => {
    const person = await personById(shop, params.id)
    const plan = GIVEN[tier]
    return actOnPerson(shop, staff, person, {
      kind: 'members give',
      what: `Gave ${monthsInWords(details.plans[plan], months)}`,
      ...(because && { because }),
      carryOut: () => giveMonths(shop, { userId: person.id, plan, months }),
    })
  })
  serve(server, contract.endPersonsMembership, async ({ params, body: { atOnce, because }, staff }) => {
    const person = await personById(shop, params.id)
    const row = await membershipToEnd(shop, person)
    const name = planInWords(details.plans[row.plan])
    const reason = whyNotCancelled(row, shopZone)
    if (!atOnce && reason !== null) throw refused(`${reason} You can end it at once.`)
    return actOnPerson(shop, staff, person, {
      kind: 'members end',
      what: atOnce ? `Ended ${name} at once` : `Cancelled ${name}`,
      because,
      carryOut: () =>
        atOnce ? endMembership(shop, person.id, row.id) : cancelMembership(shop, person.id, row.id),
    })
  })
}

const field = (value: unknown, name: string): string =>
  value !== null && typeof value === 'object' && name in value
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
      String((value as Record<string, unknown>)[name])
    : ''
const creditIds = (after: unknown): string[] => field(after, 'ids').split(' ').filter(Boolean)

export const givenAudiobooks: Undoable = {
  may: 'people.change',
  whyNot: async (shop, { after, userId }) => {
    const ids = creditIds(after)
    if (!userId || ids.length === 0) return 'It was given by a command, which keeps no list.'
    return whyCreditsStay(shop.db, ids)
  },
  async undo(shop, { about, after, userId }) {
    const ids = creditIds(after)
    if (!userId) throw refused('The account is closed.')
    return {
      kind: 'people credit',
      about,
      userId,
      what: `Took ${counted(ids.length, 'free audiobook')} back`,
      carryOut: () => takeBackCredits(shop, { userId, ids }),
    }
  },
}

export const privateNote: Undoable = {
  may: 'people.change',
  whyNot: async (_shop, { before, userId }) =>
    typeof before === 'string' && userId ? null : 'A note by a command stays in the log.',
  async undo(shop, { about, before, after, userId }, staff) {
    if (!userId || typeof before !== 'string') throw refused('The account is closed.')
    return {
      kind: 'people note',
      about,
      userId,
      what: 'Put the private note back',
      before: after,
      after: before,
      carryOut: () =>
        storeNote(shop.db, { userId, text: before, writtenBy: staff.name, writtenAt: shop.now() }),
    }
  },
}
