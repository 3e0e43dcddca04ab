import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { PackageIcon } from '@phosphor-icons/react/dist/csr/Package'
import { PaperPlaneTiltIcon } from '@phosphor-icons/react/dist/csr/PaperPlaneTilt'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import type { WholeOrder } from '#contract/office/orders.ts'
import { amount } from '#format/money.ts'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { NetProblem } from '#net/problem.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { BoneButtons, BoneLines, Bones, BoneSection, BoneSub } from '../../ui/Bones.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { exactly, when } from '../../ui/when.ts'
import { OrderStateMark } from './order-words.tsx'
import './orders.css'

export const orderQuery = (number: string) =>
  queryOptions({
    queryKey: ['order', number],
    queryFn: () => officeCall('GET /api/office/orders/{number}', { params: { number } }),
  })

export function Order() {
  const { number } = useParams({ from: '/shell/orders/$number' })
  const { data: order, error, refetch } = useQuery(orderQuery(number))
  const crumb = (
    <>
      <Link to="/orders">Orders</Link> <span>{number}</span>
    </>
  )
  if (!order)
    return (
      <Page title={number} crumb={crumb} sub={error ? undefined : <BoneSub />}>
        {error instanceof NetProblem && (error.status === 404 || error.status === 400) ? (
          <Empty title={`There is no order ${number}.`} help="Look for it by its buyer or a title." />
        ) : error ? (
          <Failed what="The order" problem={error} onRetry={() => void refetch()} />
        ) : (
          <Bones what="the order">
            <BoneButtons widths={[96, 190, 140]} />
            <BoneLines lines={4} tall />
            <BoneSection lines={5} />
          </Bones>
        )}
      </Page>
    )
  return (
    <Page
      title={number}
      crumb={crumb}
      sub={
        <span className="order-facts">
          <OrderStateMark state={order.state} hasGift={order.hasGift} />
          <b>{order.buyer || 'Its buyer’s account is closed'}</b>
          <span>{order.email}</span>
          <span>{exactly(order.at)}</span>
        </span>
      }
    >
      <Undecided order={order} />
      <Acts order={order} />
      <Lines order={order} />
      <Section title="What happened">
        <Timeline order={order} />
      </Section>
      <Outlet />
    </Page>
  )
}

function Undecided({ order: { number, undecided } }: { readonly order: WholeOrder }) {
  const may = useMay()
  const sum = undecided.reduce((total, { amountMinor }) => total + amountMinor, 0)
  return (
    undecided.length > 0 && (
      <p className="note order-undecided">
        <b>{amount(sum)} went back at the payment provider</b>, and more than one line costs that. Until
        somebody says which, all titles stay in the library.{' '}
        {may('orders.refund') && (
          <LinkButton compact to="/orders/$number/assign" params={{ number }}>
            Say which
          </LinkButton>
        )}
      </p>
    )
  )
}

function Acts({ order: { number, leftMinor, isPaid, isAccountClosed } }: { readonly order: WholeOrder }) {
  const may = useMay()
  const changes = [['order', number], ['orders']]
  const receipt = useAct(
    () => officeCall('POST /api/office/orders/{number}/receipt', { params: { number } }),
    {
      changes,
      done: ({ to }) => `The receipt is on its way to ${to}.`,
    },
  )
  const delivery = useAct(
    () => officeCall('POST /api/office/orders/{number}/delivery', { params: { number } }),
    {
      changes,
      done: ({ outcomes }) => outcomes.join(' ') || 'Nothing was missing.',
    },
  )
  return (
    <>
      <div className="acts order-acts">
        {may('orders.refund') &&
          (isPaid && leftMinor > 0 ? (
            <LinkButton look="beak" icon={ArrowUUpLeftIcon} to="/orders/$number/refund" params={{ number }}>
              Refund
            </LinkButton>
          ) : (
            <Button
              icon={ArrowUUpLeftIcon}
              why={isPaid ? 'All of its money went back, or is on its way.' : 'It was never paid.'}
            >
              Refund
            </Button>
          ))}
        {may('orders.change') && (
          <>
            <Button
              icon={PaperPlaneTiltIcon}
              busy={receipt.busy}
              sends
              why={
                isAccountClosed ? 'Its buyer’s account is closed.' : isPaid ? undefined : 'It was never paid.'
              }
              onClick={() => void receipt.write()}
            >
              Send the receipt again
            </Button>
            <Button icon={PackageIcon} busy={delivery.busy} sends onClick={() => void delivery.write()}>
              {isPaid ? 'Deliver again' : 'Ask whether it was paid'}
            </Button>
          </>
        )}
      </div>
      <Refusal message={receipt.refusal || delivery.refusal} />
    </>
  )
}

const Lines = ({ order }: { readonly order: WholeOrder }) => (
  <table className="table tall">
    <thead>
      <tr>
        <th>Bought</th>
        <th className="num wide-only">VAT in it</th>
        <th className="num">Price</th>
      </tr>
    </thead>
    <tbody>
      {order.lines.map(({ place, title, priceMinor, vatPercent, giftFor, giftBecame, refundedAt }) => (
        <tr key={place}>
          <td>
            <LineName
              title={title}
              notes={[
                giftFor && `A gift for ${giftFor}`,
                giftBecame,
                refundedAt && `refunded ${when(refundedAt)}`,
              ]}
            />
          </td>
          <td className="num muted wide-only">{vatPercent > 0 ? `${vatPercent}%` : 'none'}</td>
          <td className={cx('num', refundedAt && 'muted')}>{amount(priceMinor)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <td>
          {order.isPaid ? 'Total paid' : 'Total'}
          {order.paidWith && <span className="muted plain">, by {order.paidWith}</span>}
          {order.code && <span className="muted plain">, code {order.code}</span>}
        </td>
        <td className="num wide-only">{amount(order.vatMinor)}</td>
        <td className="num">{amount(order.totalMinor)}</td>
      </tr>
      {order.refundedMinor > 0 && (
        <tr>
          <td>Refunded</td>
          <td className="num wide-only">
            <span className="visually-hidden">no figure</span>
          </td>
          <td className="num">{amount(-order.refundedMinor)}</td>
        </tr>
      )}
    </tfoot>
  </table>
)

const LineName = ({
  title,
  notes,
}: {
  readonly title: string
  readonly notes: readonly (string | null)[]
}) => (
  <span className="two-lines">
    <b className="strong">{title}</b>
    <small>{notes.filter(Boolean).join(', ')}</small>
  </span>
)

const ICONS = {
  order: ReceiptIcon,
  payment: CreditCardIcon,
  refund: ArrowUUpLeftIcon,
  email: EnvelopeSimpleIcon,
  staff: NotePencilIcon,
} as const

const Timeline = ({ order: { timeline, paymentId } }: { readonly order: WholeOrder }) => (
  <>
    <ol className="timeline">
      {timeline.toReversed().map(({ at, kind, what, detail, isBad }, index) => (
        <li key={index}>
          <time dateTime={at} title={exactly(at)} className="muted nowrap">
            {when(at)}
          </time>
          <span className={isBad ? 'bad' : 'muted'}>
            <Icon of={ICONS[kind]} size={18} />
          </span>
          <div>
            {what}
            {detail && <small>{detail}</small>}
          </div>
        </li>
      ))}
    </ol>
    {paymentId && (
      <p className="small muted below">
        At the provider: <code>{paymentId}</code>
      </p>
    )}
  </>
)
