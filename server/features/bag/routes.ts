import * as contract from '#contract/bag.ts'
import { wholeList } from '#contract/calculations/hydra-list.ts'
import { unreadable, notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { addressKey, countOrRefuse, isExempt, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { Caller } from '../../auth/access.ts'
import type { Countries } from '../../auth/country.ts'
import { cardsOf, readerOf } from '../catalogue/service.ts'
import {
  addItem,
  applyCode,
  type Bag,
  type Buyer,
  changeItem,
  isAvailable,
  openBag,
  removeBlocked,
  removeItem,
  viewBag,
} from './service.ts'
import { cartIdOf, joinCarts } from './guest-bag.ts'
import { type Cards, cartItemView, cartMembers, cartView, mergedView } from './serializers.ts'

/** Guest bags from one IP address: enough for an office that shares it, too few to fill the table. */
const NEW_BAGS: Limit = { name: 'bag from', most: 60, windowSeconds: 3600 }

interface BuyerCall {
  readonly caller: Caller | null
  readonly countries: Countries
}

export function registerBag(server: ApiServer): void {
  const { shop } = server
  const buyerOf = ({ caller, countries }: BuyerCall): Buyer => ({
    userId: caller?.userId ?? null,
    countries,
  })

  async function cardsIn(bag: Bag, call: BuyerCall): Promise<Cards> {
    const ids = bag.items.map(({ sold }) => sold.bookId)
    const cards = await cardsOf(shop, ids, await readerOf(shop, call))
    return new Map(cards.map((card) => [card.id, card]))
  }
  const shown = async (bag: Bag, call: BuyerCall) => cartView(bag, await cardsIn(bag, call))
  async function shownItem(cartId: string, itemId: string, call: BuyerCall) {
    const bag = await openBag(shop, { cartId, buyer: buyerOf(call) })
    const member = cartMembers(bag, await cardsIn(bag, call)).find(({ uuid }) => uuid === itemId)
    if (!member) throw notFound()
    return cartItemView(member)
  }

  serve(server, contract.addCartItem, async (call) => {
    const { cart, audioBook, eBook, ...gift } = call.body
    if ((audioBook === undefined) === (eBook === undefined))
      throw unreadable('Exactly one of audioBook and eBook is needed.')
    const address = call.request.ip
    if (!cart && !call.caller && !isExempt(shop.config, address))
      await countOrRefuse(shop.db, NEW_BAGS, addressKey(address), shop.now())
    const { itemId, cartId, created } = await addItem(shop, buyerOf(call), {
      cartId: cart ? lastPart(cart) : null,
      format: audioBook === undefined ? 'e_book' : 'audio_book',
      slug: lastPart(audioBook ?? eBook!),
      ...gift,
    })
    if (created) call.reply.code(201)
    return shownItem(cartId, itemId, call)
  })
  serve(server, contract.patchCartItem, async (call) => {
    const { cartId } = await changeItem(shop, buyerOf(call), call.params.id, { ...call.body, whole: false })
    return shownItem(cartId, call.params.id, call)
  })
  serve(server, contract.putCartItem, async (call) => {
    const { cartId } = await changeItem(shop, buyerOf(call), call.params.id, { ...call.body, whole: true })
    return shownItem(cartId, call.params.id, call)
  })
  serve(server, contract.removeCartItem, async (call) => {
    await removeItem(shop, buyerOf(call), call.params.id)
    return undefined
  })

  serve(server, contract.getOwnCart, async (call) => {
    const cartId = await cartIdOf(shop.db, call.caller.userId)
    return shown(await openBag(shop, { cartId, buyer: buyerOf(call) }), call)
  })
  serve(server, contract.getCart, async (call) =>
    shown(await viewBag(shop, call.params.id, buyerOf(call)), call),
  )
  serve(server, contract.listCartItems, async (call) => {
    const bag = await viewBag(shop, call.params.id, buyerOf(call))
    const members = cartMembers(bag, await cardsIn(bag, call))
    return wholeList('CartItem', call.url, members)
  })

  const joined = async (call: BuyerCall & { caller: Caller }, guestId: string) => {
    const merged = await joinCarts(shop.db, guestId, { userId: call.caller.userId, now: shop.now() })
    const bag = await openBag(shop, { cartId: merged.cartId, buyer: buyerOf(call) })
    return mergedView(bag, await cardsIn(bag, call), merged)
  }
  serve(server, contract.applyUser, async (call) => joined(call, call.params.id))
  serve(server, contract.updateUserCart, async (call) => {
    if (call.params.id.toLowerCase() !== call.caller.userId) throw notFound()
    return joined(call, call.body.cartUuid)
  })

  serve(server, contract.applyCoupon, async (call) => {
    const buyer = { ...buyerOf(call), address: call.request.ip }
    return shown(await applyCode(shop, buyer, call.params.id, call.body.couponCode), call)
  })
  serve(server, contract.getAvailability, async (call) => {
    const bag = await viewBag(shop, call.params.id, buyerOf(call))
    return { updated: bag.items.some((line) => !isAvailable(line)) }
  })
  serve(server, contract.removeUnavailable, async (call) =>
    shown(await removeBlocked(shop, call.params.id, buyerOf(call)), call),
  )
}

const lastPart = (iri: string): string => iri.slice(iri.lastIndexOf('/') + 1)
