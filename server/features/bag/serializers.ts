import { DISCOUNT_REFUSALS } from '#contract/messages.ts'
import type { Cart, CartItem, CartMember, MergedCart } from '#contract/bag.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { appliedDiscount } from '../discounts/serializers.ts'
import type { Joined } from './guest-bag.ts'
import { type Bag, type BagLine, isAvailable } from './service.ts'

export type Cards = ReadonlyMap<number, BookCard>

export const cartView = (bag: Bag, cards: Cards): Cart => ({
  '@context': '/api/contexts/Cart',
  '@id': `/api/carts/${bag.id}`,
  '@type': 'Cart',
  uuid: bag.id,
  ...sums(bag),
  itemCount: bag.items.length,
  blocked: bag.items.some((line) => !isAvailable(line)),
  discount: bag.coupon && 'row' in bag.coupon ? appliedDiscount(bag.coupon.row, bag.prices) : null,
  discountMessage: bag.coupon && 'refused' in bag.coupon ? DISCOUNT_REFUSALS[bag.coupon.refused] : null,
  items: cartMembers(bag, cards),
})

export const mergedView = (bag: Bag, cards: Cards, joined: Joined): MergedCart => ({
  ...cartView(bag, cards),
  merged: { added: joined.added, alreadyInBag: joined.alreadyInBag, becameGifts: joined.becameGifts },
})

export const cartMembers = (bag: Bag, cards: Cards): CartMember[] =>
  bag.items.flatMap((line) => {
    const card = cards.get(line.sold.bookId)
    return card ? [cartMember(bag, line, card)] : []
  })

export const cartItemView = (member: CartMember): CartItem => ({
  '@context': '/api/contexts/CartItem',
  ...member,
})

const sums = ({ prices: { totalMinor, vatMinor, beforeMinor }, pricesForMembers }: Bag) => ({
  sumCheckedForPayment: totalMinor / 100,
  sumVat: vatMinor / 100,
  sumNet: (totalMinor - vatMinor) / 100,
  sumBeforeDiscount: beforeMinor / 100,
  ...(pricesForMembers && { sumForMembers: pricesForMembers.totalMinor / 100 }),
})

function cartMember(bag: Bag, line: BagLine, card: BookCard): CartMember {
  const { item } = line
  const pricedLine = bag.prices.lines.find(({ item: { id } }) => id === item.id)
  const asMember = bag.pricesForMembers?.lines.find(({ item: { id } }) => id === item.id)
  const coupon = bag.coupon && 'row' in bag.coupon && pricedLine?.reduced ? bag.coupon.row : null
  const more = {
    locations: item.locations.map((location) => ({
      '@id': `/api/locations/${location.id}`,
      '@type': 'Location' as const,
      ...location,
    })),
    tags: item.tags,
    translator: item.translator && {
      firstName: item.translator[0],
      lastName: item.translator[1],
      fullName: item.translator.join(' ').trim(),
    },
  }
  const discountPrice = pricedLine?.reduced ? pricedLine.priceMinor / 100 : null
  return {
    '@id': `/api/cart_items/${item.id}`,
    '@type': 'CartItem',
    uuid: item.id,
    cart: { '@id': `/api/carts/${bag.id}`, uuid: bag.id },
    audioBook: card.entityType === 'audioBook' ? { ...card, ...more, discountPrice } : null,
    eBook: card.entityType === 'eBook' ? { ...card, ...more, discountPrice } : null,
    gift: line.gift,
    giftEmail: item.gift_email,
    giftMessage: item.gift_message,
    giftDeliveryDate: item.gift_day,
    price: line.originalMinor / 100,
    discountPrice,
    ...(asMember && { priceForMembers: asMember.priceMinor / 100 }),
    discountCode: coupon?.code ?? null,
    discountPercent: coupon?.percent ?? null,
    vat: (pricedLine?.vatMinor ?? 0) / 100,
    vatPercent: line.vatPercent,
    geoBlocked: line.geoBlocked,
    available: isAvailable(line),
  }
}
