import { carryOutWithdrawals } from '../features/membership/withdraw.ts'
import {
  nextOfMembershipCalendar,
  runMembershipCalendar,
} from '../features/membership/membership-schedule.ts'
import { closeAccountsAtProvider } from '../features/checkout/reconcile-payments.ts'
import { sendDueRefunds } from '../features/checkout/refund-order-lines.ts'
import { mailBegunMonths, nextMonthToMail } from '../features/membership/month-emails.ts'
import { nextLapsing, remindOfLapsing } from '../features/membership/credits.ts'
import { runGiftCalendar, nextGiftDay } from '../features/gifts/gift-delivery.ts'
import { runOutletCalendar, nextOfOutletCalendar } from '../features/outlets/scheduled-statements.ts'
import { followMonths, nextMonthToBegin } from '../features/catalogue/months.ts'
import { runPriceChanges } from '../features/catalogue/price-changes.ts'
import { selectNextPriceChange } from '../features/catalogue/price-changes-queries.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import type { Shop } from '../shop.ts'
import { DAY_MS } from '#contract/durations.ts'

export interface BusinessWork {
  readonly run: (shop: Shop, signal?: AbortSignal) => Promise<unknown>
  /** An advancing clock stops once a day anyway. */
  readonly next?: (shop: Shop, now: Date) => Promise<Date | null>
}

export const BUSINESS = {
  calendar: { run: runMembershipCalendar, next: nextOfMembershipCalendar },
  month: { run: mailBegunMonths, next: nextMonthToMail },
  audiobooks: { run: remindOfLapsing, next: nextLapsing },
  gifts: { run: runGiftCalendar, next: nextGiftDay },
  refunds: {
    async run(shop: Shop, signal?: AbortSignal) {
      if (!takesPayments(shop.payments)) return
      await carryOutWithdrawals(shop, signal)
      await closeAccountsAtProvider(shop, signal)
      await sendDueRefunds(shop, signal)
    },
  },
  prices: { run: runPriceChanges, next: (shop, now) => selectNextPriceChange(shop.db, now) },
  months: { run: followMonths, next: nextMonthToBegin },
  bookshops: { run: runOutletCalendar, next: nextOfOutletCalendar },
} as const satisfies Record<string, BusinessWork>

/** 03:17 UTC, when few other systems start their jobs. */
const AT_MS = (3 * 60 + 17) * 60_000

export const lastNight = (now: Date): Date => new Date(now.getTime() + untilNightMs(now) - DAY_MS)

/** Always in the future, so that a run which ends early does not start again in the same night. */
export function untilNightMs(now: Date): number {
  const sinceMidnight = now.getTime() % DAY_MS
  return sinceMidnight < AT_MS ? AT_MS - sinceMidnight : AT_MS + DAY_MS - sinceMidnight
}
