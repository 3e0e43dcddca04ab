import { DateTime } from 'luxon'
import { type Role, roleMay } from '#contract/office/permissions.ts'
import { salesOf } from '../../features/sales/service.ts'
import { day } from '../../settings/days.ts'
import type { Shop } from '../../shop.ts'
import { daySpan } from '../day-span.ts'
import { selectDayOfPeople } from './queries.ts'

/** Fewer listeners are not shown, because they could be recognised. */
const LISTENERS_AT_LEAST = 10
const DAYS_SHOWN = 14

/** Yesterday, with the same weekday before, as far as the role may see it. */
export async function yesterdayOf(shop: Pick<Shop, 'db' | 'config' | 'clock'>, role: Role) {
  const zone = shop.config.shopZone
  const last = DateTime.fromJSDate(shop.clock.now(), { zone }).startOf('day').minus({ days: 1 })
  const dayBefore = (days: number) => day(last.minus({ days }).toJSDate(), zone)
  const shown = Array.from({ length: DAYS_SHOWN }, (_, index) => dayBefore(DAYS_SHOWN - 1 - index))
  const seesOrders = roleMay(role, 'orders.read')
  const seesSales = roleMay(role, 'sales.read')
  const seesMembers = roleMay(role, 'members.read')
  const span = (of: string) => daySpan(`${of}..${of}`, shop.clock.now(), zone)
  const [{ days }, people, peopleBefore] = await Promise.all([
    salesOf(shop, { from: shown[0]!, to: dayBefore(0) }),
    selectDayOfPeople(shop.db, span(dayBefore(0))),
    selectDayOfPeople(shop.db, span(dayBefore(7))),
  ])
  const sold = new Map(days.map((each) => [each.day, each]))
  const compared = (key: 'joined' | 'left' | 'failing') => ({
    yesterday: seesMembers ? people[key] : null,
    before: seesMembers ? peopleBefore[key] : null,
  })
  return {
    day: day(shop.clock.now(), zone),
    days: seesOrders
      ? shown.map((of) => {
          const { orders = 0, taxedMinor = 0, untaxedMinor = 0, backMinor = 0 } = sold.get(of) ?? {}
          return {
            day: of,
            orders,
            takenMinor: seesSales ? taxedMinor + untaxedMinor : null,
            refundedMinor: seesSales ? backMinor : null,
          }
        })
      : [],
    members: { joined: compared('joined'), left: compared('left'), failing: compared('failing') },
    listeners: {
      yesterday: enough(people.listeners),
      before: enough(peopleBefore.listeners),
    },
  }
}

const enough = (listeners: number): number | null => (listeners < LISTENERS_AT_LEAST ? null : listeners)
