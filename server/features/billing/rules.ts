/** The room's face to others: settling what the provider reports, and the work of the calendar. */
export { endClosedAccountsAtProvider } from './closed-account.ts'
export { sellInvoice } from './invoice-order.ts'
export { discountAtProvider, join } from './join.ts'
export { comeBackToMembership, reconcileMoneyBack, settleInvoicePayment } from './money-back.ts'
export {
  runMembershipCalendar,
  nextOfMembershipCalendar,
  reconcileMemberships,
  sweepMemberships,
} from './reconcile.ts'
export { syncCustomers } from './customer-sync.ts'
export { PRICES_WRONG, wrongPrices } from './right-price.ts'
export { settleSetUp } from './set-ups.ts'
export { settleCustomer, settleInvoice, settleMethod, settleSubscription } from './settle.ts'
export { carryOutWithdrawals } from './withdraw.ts'
