import { PAGE_SIZE } from '#contract/limits.ts'
import { getOrder, listOrders as listOrdersCall } from '#contract/orders.ts'
import type { Caller } from '../../auth/access.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { cardsOf, readerOf } from '../catalogue/service.ts'
import { listOrders, type OrderShown, seeOrder } from './service.ts'
import { orderItem, orderMember } from './serializers.ts'
import type { Countries } from '../../auth/country.ts'

export function registerOrders(server: ApiServer): void {
  const { shop } = server

  async function cardsIn(orders: readonly OrderShown[], call: { caller: Caller; countries: Countries }) {
    const ids = orders.flatMap(({ lines }) =>
      lines.flatMap(({ sold }) => (sold.kind === 'title' ? [sold.bookId] : [])),
    )
    const cards = await cardsOf(shop, [...new Set(ids)], await readerOf(shop, call))
    return new Map(cards.map((card) => [card.id, card]))
  }

  serve(server, listOrdersCall, async (call) => {
    const page = pageOf(call.query, PAGE_SIZE.orders)
    const { orders, total } = await listOrders(shop.db, call.caller.userId, page)
    const cards = await cardsIn(orders, call)
    const members = orders.map((order) => orderMember(order, cards))
    return hydraList({ type: 'OrderCart', url: call.url, members, total, ...page })
  })
  serve(server, getOrder, async (call) => {
    const order = await seeOrder(shop.db, call.caller.userId, call.params.id)
    return orderItem(order, await cardsIn([order], call))
  })
}
