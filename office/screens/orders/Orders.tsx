import { PackageIcon } from '@phosphor-icons/react/dist/csr/Package'
import { PaperPlaneTiltIcon } from '@phosphor-icons/react/dist/csr/PaperPlaneTilt'
import { Link } from '@tanstack/react-router'
import type { ListedOrder } from '#contract/office/orders.ts'
import { ORDER_STATES } from '#contract/office/order-states.ts'
import { amount } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import { toast } from '#ui/toast.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { problemWords, renew, useBusy } from '../../net/use-act.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { exactly, when } from '../../ui/when.ts'
import { ORDER_WORDS, OrderStateMark } from './order-words.tsx'

const COLUMNS: readonly Column<ListedOrder>[] = [
  {
    key: 'number',
    head: 'Order',
    onPhone: 'start',
    cell: ({ number }) => (
      <Link to="/orders/$number" params={{ number }} className="strong nowrap">
        {number}
      </Link>
    ),
  },
  {
    key: 'paid',
    head: 'Paid',
    sort: 'paid',
    onPhone: 'middle',
    cell: ({ at }) => (
      <time dateTime={at} title={exactly(at)} className="muted nowrap">
        {when(at)}
      </time>
    ),
  },
  {
    key: 'buyer',
    head: 'Buyer',
    sort: 'buyer',
    cutAt: 19,
    onPhone: 'below',
    cell: ({ buyer }) => buyer || 'Account closed',
  },
  {
    key: 'what',
    head: 'What',
    cutAt: 30,
    cell: ({ titles }) => <span className="muted">{titles}</span>,
  },
  { key: 'country', head: 'Country', cell: ({ country }) => <span className="muted">{country}</span> },
  { key: 'email', head: 'Email', isExtra: true, cutAt: 20, cell: ({ email }) => email },
  { key: 'with', head: 'Paid with', isExtra: true, cell: ({ paidWith }) => paidWith ?? '' },
  { key: 'code', head: 'Code', isExtra: true, cell: ({ code }) => code ?? '' },
  {
    key: 'total',
    head: 'Total',
    sort: 'total',
    isNumber: true,
    onPhone: 'end',
    cell: ({ totalMinor }) => amount(totalMinor),
  },
  {
    key: 'refunded',
    head: 'Refunded',
    isNumber: true,
    isExtra: true,
    cell: ({ refundedMinor }) => (refundedMinor > 0 ? amount(refundedMinor) : ''),
  },
  {
    key: 'state',
    head: 'State',
    onPhone: 'below-end',
    cell: ({ state, hasGift }) => <OrderStateMark state={state} hasGift={hasGift} />,
  },
]

const FILTERS: readonly Filter[] = [
  { key: 'paid', label: 'Paid', kind: 'days' },
  {
    key: 'state',
    label: 'State',
    kind: 'choice',
    options: [
      { value: 'settled', label: 'any but waiting' },
      { value: 'look', label: 'needs a look' },
      ...ORDER_STATES.map((value) => ({ value, label: ORDER_WORDS[value].words.toLowerCase() })),
    ],
  },
  { key: 'total', label: 'Total', kind: 'pounds' },
  { key: 'country', label: 'Country', kind: 'text', hint: 'Two letters, such as DE, or “abroad”.' },
  { key: 'code', label: 'Code', kind: 'text', hint: 'The discount code that was used.' },
  {
    key: 'gift',
    label: 'Gift',
    kind: 'choice',
    options: [
      { value: 'yes', label: 'with a gift' },
      { value: 'no', label: 'without' },
    ],
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Needs a look', search: { state: 'look' } },
  { name: 'Last seven days', search: { paid: 'week', state: 'settled' } },
  { name: 'Refunded', search: { state: 'refunded' } },
  { name: 'Gifts', search: { gift: 'yes', state: 'settled' } },
  { name: 'From abroad, for VAT', search: { country: 'abroad', paid: 'month' } },
]

export function Orders() {
  const may = useMay()
  return (
    <OfficeTable<ListedOrder, { readonly totalMinor: number }>
      list="orders"
      title="Orders"
      noun={['order', 'orders']}
      columns={COLUMNS}
      filters={FILTERS}
      views={VIEWS}
      searchFor="Number, buyer, title or card"
      sort="-paid"
      idOf={({ number }) => number}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/orders', { query: { ...query, ...(after && { after }) } })
      }
      sumWords={({ totalMinor }) => amount(totalMinor)}
      exportFile={
        may('orders.export') ? (query) => officeFile('GET /api/office/orders/export', { query }) : undefined
      }
      {...(may('orders.change') && {
        selection: {
          sumWords: (rows) => amount(rows.reduce((sum, { totalMinor }) => sum + totalMinor, 0)),
          acts: (rows, clear) => <ManyActs orders={rows} onDone={clear} />,
        },
      })}
      empty={{
        title: 'No orders yet.',
        help: 'The first one appears here automatically, with everything about it.',
      }}
    />
  )
}

function ManyActs({
  orders,
  onDone,
}: {
  readonly orders: readonly ListedOrder[]
  readonly onDone: () => void
}) {
  const { busy, run } = useBusy()
  const each = (done: string, send: (number: string) => Promise<unknown>) =>
    run(async () => {
      const refused: string[] = []
      for (const { number } of orders)
        await send(number).catch((problem: unknown) => refused.push(`${number}: ${problemWords(problem)}`))
      await renew([['orders'], ['order']])
      const count = orders.length - refused.length
      toast([`${count} ${done}.`, ...refused].join(' '))
      onDone()
    })
  return (
    <>
      <button
        type="button"
        aria-disabled={busy}
        onClick={() =>
          void each(orders.length === 1 ? 'receipt sent again' : 'receipts sent again', (number) =>
            officeCall('POST /api/office/orders/{number}/receipt', { params: { number } }),
          )
        }
      >
        <Icon of={PaperPlaneTiltIcon} size={17} />
        Send receipts again
      </button>
      <button
        type="button"
        aria-disabled={busy}
        onClick={() =>
          void each('delivered again', (number) =>
            officeCall('POST /api/office/orders/{number}/delivery', { params: { number } }),
          )
        }
      >
        <Icon of={PackageIcon} size={17} />
        Deliver again
      </button>
    </>
  )
}
