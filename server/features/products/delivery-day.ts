import { DateTime, IANAZone } from 'luxon'
import type { BusinessTime } from '../../clock.ts'
import { unprocessable } from '../../http/http-errors.ts'
import type { Config } from '../../settings/config.ts'

/** Giver and recipient would forget a gift that arrives later. */
const YEARS_AHEAD = 1

const HOUR = 8

export function zoneOf(given: string | null | undefined, { shopZone }: Pick<Config, 'shopZone'>): string {
  if (!given) return shopZone
  if (!IANAZone.isValidZone(given)) throw unprocessable('giftTimeZone', 'This time zone isn’t known.')
  return given
}

/** @throws 422 for a day that has passed in the giver's zone (GIFT-21), does not exist, or is more than a year ahead */
export function refuseDay(day: string, zone: string, now: BusinessTime): void {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  const asked = DateTime.fromISO(day, { zone })
  if (!asked.isValid || asked < today)
    throw unprocessable('giftDeliveryDate', 'Please choose today or a later day.')
  if (asked > today.plus({ years: YEARS_AHEAD }))
    throw unprocessable('giftDeliveryDate', 'Please choose a day within a year.')
}

export const dayInWords = (day: string): string => DateTime.fromISO(day).toFormat('cccc d LLLL')

/** For the code of a printed card, which its recipient may have before the gift's day. */
export const notYetWords = (day: string | null): string =>
  `This present can be opened ${day === null ? 'in a few minutes' : `from ${dayInWords(day)}, 8 in the morning`}.`

/** 08:00 in the giver's zone, also when the clocks change; `now` without a day, or once that has passed. */
export function deliveryOf(day: string | null, zone: string, now: BusinessTime): Date {
  if (day === null) return now
  const at = DateTime.fromISO(day, { zone }).set({ hour: HOUR }).toJSDate()
  return at > now ? at : now
}
