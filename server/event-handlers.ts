import { registerEventHandlers } from './domain-events.ts'
import { deleteBought } from './features/bag/queries.ts'
import { emptyOfPaid } from './features/bag/service.ts'
import { insertUse } from './features/discounts/queries.ts'
import {
  membershipGiftProduct,
  membershipProduct,
  titleProduct,
  mailConfirmation,
} from './features/fulfilment/service.ts'
import { earnCommission } from './features/outlets/service.ts'
import { insertCommissionAgain, insertCommissionBack } from './features/outlets/queries.ts'
import { registerProducts } from './features/products/product.ts'

/** Handlers run in the transaction that emits the event. Every program that changes orders imports this file. */
registerEventHandlers({
  OrderPaid: [
    async (tx, { couponCode, userId, orderId, paidAt }) => {
      if (couponCode) await insertUse(tx, { code: couponCode, userId, orderId, usedAt: paidAt })
    },
    async (tx, { orderId, userId, paidAt, taken, isCheckout }) => {
      if (isCheckout && taken === null && userId !== null)
        await earnCommission(tx, { orderId, userId, now: paidAt })
    },
    async (tx, { cartId, cartItemIds, taken, isCheckout }) => {
      if (isCheckout && taken === null && cartId) await emptyOfPaid(tx, cartId, cartItemIds)
    },
    async (tx, { orderId, userId, cartId, taken, isCheckout }) => {
      if (isCheckout && taken === null && !cartId && userId !== null) await deleteBought(tx, userId, orderId)
    },
    async (tx, event, shop) => {
      if (event.isCheckout && event.taken === null) await mailConfirmation(tx, event, shop)
    },
  ],
  LinesTakenBack: [insertCommissionBack],
  LinesRestored: [insertCommissionAgain],
})

registerProducts({
  title: titleProduct,
  membership: membershipProduct,
  membership_gift: membershipGiftProduct,
})
