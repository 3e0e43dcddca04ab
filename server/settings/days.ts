import { DateTime } from 'luxon'
import { BadSetting } from './bad-setting.ts'

/** `2026-11-23`, in the shop's time zone. */
export const day = (at: Date, zone: string): string =>
  DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd')

/** `2026-11-23 01:09`, in the shop's time zone. */
export const minute = (at: Date, zone: string): string =>
  DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd HH:mm')

/** @throws {BadSetting} if the text is not a day */
export function startOfDay(typedDay: string, zone: string, daysLater = 0): Date {
  const at = DateTime.fromFormat(typedDay, 'yyyy-MM-dd', { zone })
  if (!at.isValid) throw new BadSetting(`A day is written 2026-11-23, not “${typedDay}”.`)
  return at.plus({ days: daysLater }).toJSDate()
}
