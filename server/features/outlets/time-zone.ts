import { DateTime } from 'luxon'

export interface Month {
  /** First and last day, both inclusive, as `2026-11-30`. */
  readonly from: string
  readonly to: string
  readonly begins: Date
  readonly ends: Date
}

const local = (at: Date, zone: string): DateTime => DateTime.fromJSDate(at, { zone })

export const monthAt = (at: Date, zone: string): Month => monthFrom(local(at, zone).startOf('month'))

export const monthNamed = (name: string, zone: string): Month =>
  monthFrom(DateTime.fromISO(name, { zone }).startOf('month'))

export const monthBefore = ({ begins }: Month, zone: string): Month =>
  monthFrom(local(begins, zone).minus({ months: 1 }))
export const monthAfter = (day: string, zone: string): Month =>
  monthFrom(DateTime.fromISO(day, { zone }).startOf('month').plus({ months: 1 }))

export const startOfDay = (at: Date, zone: string): Date => local(at, zone).startOf('day').toJSDate()
export const dayOf = (at: Date, zone: string): string => local(at, zone).toISODate()!
export const timeOf = (at: Date, zone: string): string => local(at, zone).toFormat('d LLLL yyyy, HH:mm')
export const longDay = (day: string): string => DateTime.fromISO(day).toFormat('d LLLL yyyy')
export const monthWords = (day: string): string => DateTime.fromISO(day).toFormat('LLLL yyyy')
export const daysLater = (day: string, days: number): string =>
  DateTime.fromISO(day).plus({ days }).toISODate()!

function monthFrom(first: DateTime): Month {
  const next = first.plus({ months: 1 })
  return {
    from: first.toISODate()!,
    to: next.minus({ days: 1 }).toISODate()!,
    begins: first.toJSDate(),
    ends: next.toJSDate(),
  }
}
