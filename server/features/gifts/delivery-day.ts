import { DateTime, IANAZone } from 'luxon'
import type { Config } from '../../settings/config.ts'
import { unprocessable } from '../../http/http-errors.ts'

/** A gift that arrives later than this is forgotten by everybody. */
const YEARS_AHEAD = 1
const HOUR = 8

/** The shop's where the giver's is not known. Throws 422 for one that no clock knows. */
export function zoneOf(given: string | null | undefined, { shopZone }: Pick<Config, 'shopZone'>): string {
  if (!given) return shopZone
  if (!IANAZone.isValidZone(given)) throw unprocessable('giftTimeZone', 'This time zone isn’t known.')
  return given
}

/** Throws 422 for a day that is over in the giver's zone (GIFT-21), that is none, or that is more than a year ahead. */
export function refuseDay(day: string, zone: string, now: Date): void {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  const asked = DateTime.fromISO(day, { zone })
  if (!asked.isValid || asked < today)
    throw unprocessable('giftDeliveryDate', 'Please choose today or a later day.')
  if (asked > today.plus({ years: YEARS_AHEAD }))
    throw unprocessable('giftDeliveryDate', 'Please choose a day within a year.')
}

/** Eight o'clock on the day in the giver's zone, whatever the clocks do that night; today after eight, and without a day, now. */
export function deliveryOf(day: string | null, zone: string, now: Date): Date {
  if (day === null) return now
  const at = DateTime.fromISO(day, { zone }).set({ hour: HOUR }).toJSDate()
  return at > now ? at : now
}
