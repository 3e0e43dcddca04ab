/** The room's face to others: settling what the provider reports, and the work of the calendar. */
export { cancel as cancelMembership } from './change.ts'
export { endMembership } from './end.ts'
export { endClosedAccountsAtProvider } from './closed-account.ts'
export { sellInvoice } from './invoice-order.ts'
export { discountAtProvider, join } from './join.ts'
export { comeBackToMembership } from './come-back.ts'
export { reconcileMemberships, reconcileMoneyBack, sweepMemberships } from './sweep.ts'
export { settleInvoicePayment } from './money-back.ts'
export { nextOfMembershipCalendar, runMembershipCalendar } from './calendar.ts'
export { syncCustomers } from './customer.ts'
export { wrongPrices } from './may-join.ts'
export { settleSetUp } from './payment-methods.ts'
export {
  settleCustomer,
  settleInvoice,
  settleMethod,
  settleSubscription,
  STATUS as STATUS_AT_PROVIDER,
} from './settle.ts'
export { recordTrial } from './trials.ts'
export { carryOutWithdrawals, withdrawByStatement } from './withdraw.ts'
