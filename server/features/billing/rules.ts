/** What others ask of this room: how what the provider tells of is settled, and what is done by the calendar. */
export { sellInvoice } from './invoice-order.ts'
export { discountAtProvider, join } from './join.ts'
export { comeBackToMembership, reconcileMoneyBack, settleInvoicePayment } from './money-back.ts'
export { keepCalendar, nextOfCalendar, reconcileMemberships, sweepMemberships } from './reconcile.ts'
export { tellWhoTheyAre } from './people.ts'
export { PRICES_WRONG, wrongPrices } from './right-price.ts'
export { settleSetUp } from './set-ups.ts'
export { settleCustomer, settleInvoice, settleMethod, settleSubscription } from './settle.ts'
