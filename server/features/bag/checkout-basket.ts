import { outdated, type Refusal, refused } from '../../http/http-errors.ts'
import { refuseElsewhere } from '../../auth/country.ts'
import type { Shop } from '../../shop.ts'
import type { Basket, BasketLine, BasketSource } from '../orders/basket.ts'
import {
  type Bag,
  type BagLine,
  type Buyer,
  hasUnknownCode,
  hasGiftByEmail,
  isAvailable,
  openBag,
} from './service.ts'
import { joinCarts, lockOwnBag } from './guest-bag.ts'

interface BasketRequest {
  /** The account's own bag, or a guest's bag, which becomes the account's. */
  readonly cartId: string
  readonly buyer: Buyer & { readonly userId: string }
  readonly code: string | null
}

export async function basketForCheckout(
  { db, now, clock, config }: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  { cartId: given, buyer, code }: BasketRequest,
): Promise<BasketSource> {
  const { userId, countries } = buyer
  refuseElsewhere(config, countries)
  const { cartId } = await joinCarts(db, given, { userId, now: now() })
  return {
    kind: 'cart',
    id: cartId,
    buyer: { userId, country: countries[0] },
    async hold(tx) {
      await lockOwnBag(tx, userId, now())
    },
    open: async (handle) =>
      bagAsBasket(await openBag({ db: handle, clock, config }, { cartId, buyer, code })),
    sendsGifts: (handle) => hasGiftByEmail(handle, cartId, userId),
  }
}

function bagAsBasket(bag: Bag): Basket {
  const { lines, totalMinor, vatMinor, beforeMinor } = bag.prices
  const discount = bag.coupon && 'row' in bag.coupon ? bag.coupon.row : null
  return {
    lines: lines.map(basketLine),
    totalMinor,
    vatMinor,
    beforeMinor,
    code: discount && { code: discount.code, percent: discount.percent },
    refusal: bagRefusal(bag),
    hasUnknownCode: hasUnknownCode(bag),
  }
}

/** An empty bag is not refused here: it may have been paid a moment ago. */
function bagRefusal({ items, coupon }: Bag): Refusal | null {
  if (items.some((line) => !isAvailable(line)))
    return outdated('Something in your bag is no longer available.')
  return items.length > 0 && coupon && 'refused' in coupon ? refused(coupon.refused) : null
}

const basketLine = ({
  item,
  gift,
  ...line
}: BagLine & Omit<BasketLine, 'gift' | 'title' | 'itemId'>): BasketLine => ({
  sold: line.sold,
  title: item.title,
  originalMinor: line.originalMinor,
  priceMinor: line.priceMinor,
  vatPercent: line.vatPercent,
  vatMinor: line.vatMinor,
  reduced: line.reduced,
  gift: gift ? { email: item.gift_email, message: item.gift_message } : null,
  itemId: item.id,
})
