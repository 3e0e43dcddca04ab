import * as contract from '#contract/office/orders.ts'
import { ORDER_STATES } from '#contract/office/order-states.ts'
import { REFUND_LIMIT_MINOR } from '#contract/office/permissions.ts'
import { formatPounds } from '../../format.ts'
import { forbidden, refused, unreadable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { act } from '../../features/activity/service.ts'
import { type Goodwill, planRefund, refundLines } from '../../features/checkout/refund-order-lines.ts'
import { deliverOrderAgain, receiptOf, sendReceiptAgain } from '../../features/fulfilment/repeat-order.ts'
import { assignRefund } from '../../features/orders/refunds-and-disputes.ts'
import { orderNumbered } from '../../features/orders/service.ts'
import { undecidedFor } from '../../features/orders/undecided-refunds.ts'
import { minute } from '../../settings/days.ts'
import { exportList } from '../csv.ts'
import { daySpan } from '../day-span.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { readParts, readSort } from '../list-query.ts'
import { isOrdersBy, PLACE_VALUES, type OrderFilter, selectOfficeOrders, sumOfficeOrders } from './queries.ts'
import { listedOrder, refundEmail, refundSentences, wholeOfficeOrder } from './service.ts'

export function registerOfficeOrders(server: ApiServer): void {
  const { shop } = server
  const filterOf = ({ paid, total, state, ...filter }: Filters): OrderFilter => ({
    ...filter,
    state: state === undefined ? undefined : stateOf(state),
    paid: paid === undefined ? undefined : daySpan(paid, shop.clock.now(), shop.config.shopZone),
    leastMinor: total === undefined ? undefined : Math.round(Number(total) * 100),
  })

  serve(server, contract.listOrders, async ({ query: { after, limit = 50, sort, part, ...filters } }) => {
    const filter = filterOf(filters)
    const sorting = readSort(sort, '-paid', isOrdersBy)
    const place = readPlace(after, { value: PLACE_VALUES[sorting.key], id: 'uuid' })
    const [found, totals] = await readParts(
      part,
      () => selectOfficeOrders(shop.db, filter, { sorting, after: place, limit: limit + 1 }),
      async () => {
        const { count, totalMinor } = await sumOfficeOrders(shop.db, filter)
        return { total: count, sums: { totalMinor } }
      },
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map(listedOrder),
      next: last ? writePlace({ value: last.value, id: last.id }) : null,
      ...totals,
    }
  })
  serve(server, contract.exportOrders, async ({ query: { sort, ...filters }, ...call }) => {
    const filter = filterOf(filters)
    const sorting = readSort(sort, '-paid', isOrdersBy)
    return exportList(shop, call, {
      count: (await sumOfficeOrders(shop.db, filter)).count,
      fetchPage: (after, limit) => selectOfficeOrders(shop.db, filter, { sorting, after, limit }),
      placeOf: ({ id, value }) => ({ id, value }),
      list: 'orders',
      head: [
        'Order',
        'Paid',
        'Buyer',
        'Email',
        'What',
        'Country',
        'Paid with',
        'Code',
        'Total £',
        'Refunded £',
        'State',
      ],
      cells: (order) => [
        order.number,
        minute(order.at, shop.config.shopZone),
        order.buyer,
        order.email,
        order.titles,
        order.country,
        order.paidWith ?? '',
        order.code ?? '',
        (order.totalMinor / 100).toFixed(2),
        (order.refundedMinor / 100).toFixed(2),
        order.state,
      ],
    })
  })

  serve(server, contract.getOrder, ({ params }) => wholeOfficeOrder(shop, params.number))

  serve(server, contract.sendReceiptAgain, async ({ params: { number }, staff }) => {
    const { order, mail } = await receiptOf(shop, number)
    await act(shop, staff, {
      kind: 'orders resend',
      about: `order ${number}`,
      userId: order.userId,
      what: 'Sent the confirmation again',
      carryOut: () => sendReceiptAgain(shop, number),
    })
    return { to: mail.to }
  })
  serve(server, contract.deliverAgain, async ({ params: { number }, staff }) => {
    const { order } = await orderNumbered(shop.db, number)
    const { result } = await act(shop, staff, {
      kind: 'orders deliver',
      about: `order ${number}`,
      userId: order.userId,
      what: 'Delivered again',
      carryOut: () => deliverOrderAgain(shop, number),
    })
    return { outcomes: [...result.lines] }
  })

  serve(server, contract.assignRefund, async ({ params: { number }, body: { place, because }, staff }) => {
    const { order, lines } = await orderNumbered(shop.db, number)
    const line = lines[place - 1]
    if (!line) throw refused(`${order.number} has no line ${place}.`)
    const { amountMinor } = await undecidedFor(shop.db, order, line)
    const what = `${formatPounds(amountMinor)} that went back was for ${line.title}`
    await act(shop, staff, {
      kind: 'orders assign',
      about: `order ${order.number}`,
      userId: order.userId,
      what,
      because,
      carryOut: () => assignRefund(shop, { orderId: order.id, lineId: line.id }),
    })
    return { what }
  })
  serve(server, contract.planRefund, async ({ params, body, staff }) => {
    const plan = await planRefund(shop.db, params.number, body.places ?? null, goodwillOf(body))
    return {
      amountMinor: plan.amountMinor,
      lines: refundSentences(plan),
      email: refundEmail(shop, plan),
      limitMinor: REFUND_LIMIT_MINOR[staff.role] ?? null,
    }
  })
  serve(server, contract.refund, async ({ params: { number }, body, staff }) => {
    const { places = null, because, shownMinor } = body
    const limit = REFUND_LIMIT_MINOR[staff.role]
    if (limit !== undefined && shownMinor > limit)
      throw forbidden(`Your role refunds up to ${formatPounds(limit)} at once. Ask an owner.`)
    const goodwill = goodwillOf(body)
    const plan = await planRefund(shop.db, number, places, goodwill)
    const titles = [...plan.paid, ...plan.unpaid].map(({ title }) => title).join(', ')
    const what = `Refunded ${formatPounds(shownMinor)} for ${titles}${goodwill ? ', which the buyer keeps' : ''}`
    await act(shop, staff, {
      kind: 'orders refund',
      about: `order ${plan.order.number}`,
      userId: plan.order.userId,
      what,
      because,
      carryOut: () => refundLines(shop, number, places, shownMinor, goodwill),
    })
    return { what }
  })
}

type Filters = Omit<OrderFilter, 'paid' | 'state' | 'leastMinor'> & {
  readonly paid?: string
  readonly total?: string
  readonly state?: string
}

function stateOf(state: string): NonNullable<OrderFilter['state']> {
  const known = FILTER_STATES.find((each) => each === state)
  if (!known) throw unreadable('state: There is no such state.')
  return known
}
const FILTER_STATES = [...ORDER_STATES, 'look', 'settled'] as const

const goodwillOf = ({
  keeps,
  amountMinor,
}: {
  readonly keeps: boolean
  readonly amountMinor?: number
}): Goodwill | null => {
  if (keeps) return { amountMinor: amountMinor ?? null }
  if (amountMinor !== undefined)
    throw unreadable('amountMinor: A part is refunded while the buyer keeps the titles.')
  return null
}
