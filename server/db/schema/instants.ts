import { timestamp } from 'drizzle-orm/pg-core'
import type { BusinessTime, RealTime } from '../../clock.ts'

/** A column that is written and compared with `shop.clock.now()`. */
export const businessTime = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true }).$type<BusinessTime>()

/** A column that is written and compared with `shop.now()`. */
export const realTime = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true }).$type<RealTime>()

/** A time that a device sent, in milliseconds as on the device. */
export const deviceTime = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true, precision: 3 }).$type<RealTime>()
