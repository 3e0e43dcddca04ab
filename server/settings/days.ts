import { DateTime } from 'luxon'
import { BadSetting } from './bad-setting.ts'

/** `2026-11-23`, where the shop is. */
export const day = (at: Date, zone: string): string =>
  DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd')

/** `2026-11-23 01:09`, where the shop is. */
export const minute = (at: Date, zone: string): string =>
  DateTime.fromJSDate(at, { zone }).toFormat('yyyy-MM-dd HH:mm')

/** Where a day that was typed begins, or the one so many days later. Throws `BadSetting` for what is no day. */
export function startOfDay(typedDay: string, zone: string, daysLater = 0): Date {
  const at = DateTime.fromFormat(typedDay, 'yyyy-MM-dd', { zone })
  if (!at.isValid) throw new BadSetting(`A day is written 2026-11-23, not “${typedDay}”.`)
  return at.plus({ days: daysLater }).toJSDate()
}
