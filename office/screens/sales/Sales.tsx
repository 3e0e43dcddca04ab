import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SALES_GROUPS, type SalesGroup } from '#contract/office/sales-groups.ts'
import type { Sales as SalesReply } from '#contract/office/sales.ts'
import { COUNTRIES } from '#format/countries.ts'
import { amount } from '#format/money.ts'
import { cx } from '#ui/cx.ts'
import { useMedia } from '#ui/use-media.ts'
import { saveFile } from '#ui/save-file.ts'
import { useListSearch } from '../../list/use-list-search.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useBusy } from '../../net/use-act.ts'
import { LinkButton, TextButton } from '../../ui/Button.tsx'
import { DayBars } from '../../ui/DayBars.tsx'
import { BoneBox, BoneButtons, BoneHeading, Bones, BoneSection } from '../../ui/Bones.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { BoneRows, Empty, Failed } from '../../ui/states.tsx'
import { shortDay } from '../../ui/when.ts'
import { daysOf, inUnit } from './period.ts'
import { PeriodPicker, periodWords } from './PeriodPicker.tsx'
import { PHONE } from '../../ui/windows.ts'
import '../../list/list.css'
import './sales.css'

const salesQuery = (period: string | undefined) =>
  queryOptions({
    queryKey: ['sales', period],
    queryFn: () => officeCall('GET /api/office/sales', { query: period ? { period } : {} }),
    placeholderData: keepPreviousData,
  })

export function Sales() {
  const { search } = useListSearch()
  const { data, error, isPlaceholderData, refetch } = useQuery(salesQuery(search.period))
  return (
    <Page
      title="Sales and VAT"
      acts={data ? <PeriodPicker span={data} /> : error ? undefined : <BoneButtons widths={[240]} />}
    >
      {data ? (
        <div className={isPlaceholderData ? 'dimmed' : undefined}>
          <Totals sales={data} />
          {data.days.length === 0 ? (
            <Empty
              title="Nothing was sold."
              help={`No order was paid and nothing was refunded in ${periodWords(data)}.`}
            />
          ) : (
            <>
              <Days sales={data} />
              <div className="sales-columns">
                <Groups sales={data} />
                <Vat sales={data} />
              </div>
            </>
          )}
          <p className="hint sales-foot">
            A sale counts on the day it was paid, a refund on the day the money left. Free audiobooks, cards
            and codes that paid for everything aren’t sales;{' '}
            <Link to="/sales/rights-holders">rights holders</Link> see how many there were.
          </p>
        </div>
      ) : error ? (
        <Failed what="The sales" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Bones what="the sales">
          <div className="sales-totals">
            <dl>
              {[120, 160, 90, 200].map((width) => (
                <div key={width}>
                  <dt>
                    <svg className="bone" width={width} height={12} />
                  </dt>
                  <dd>
                    <svg className="bone" width={80} height={18} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          <div className="section">
            <BoneHeading />
            <BoneBox isWide />
          </div>
          <div className="sales-columns">
            <BoneSection lines={6} />
            <BoneSection lines={3} />
          </div>
        </Bones>
      )}
    </Page>
  )
}

function Totals({ sales: { total, membershipsMinor, rates, period } }: { readonly sales: SalesReply }) {
  return (
    <div className="sales-totals">
      <dl>
        <div>
          <dt>taken{total.refundedMinor > 0 && `; ${amount(total.refundedMinor)} refunded`}</dt>
          <dd>{amount(total.takenMinor)}</dd>
        </div>
        <div>
          <dt>
            VAT in what is left, {rates.length} {rates.length === 1 ? 'rate' : 'rates'}
          </dt>
          <dd>{amount(total.vatMinor)}</dd>
        </div>
        <div>
          <dt>without VAT</dt>
          <dd>{amount(total.netMinor)}</dd>
        </div>
        <div>
          <dt>of what is left from memberships</dt>
          <dd>{amount(membershipsMinor)}</dd>
        </div>
      </dl>
      <LinkButton to="/sales/rights-holders" search={{ period }}>
        Rights holders
      </LinkButton>
    </div>
  )
}

function Days({ sales: { days, from, to, isSoFar, period } }: { readonly sales: SalesReply }) {
  const [isTable, setTable] = useState(false)
  const taken = new Map(days.map(({ day, takenMinor }) => [day, takenMinor]))
  const isPhone = useMedia(PHONE)
  const last = isSoFar ? days.at(-1)!.day : to
  return (
    <Section
      title="By day"
      note={<Download what="By day" file="sales-by-day" query={{ period }} />}
      acts={
        <TextButton className="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as bars' : 'Show as a table'}
        </TextButton>
      }
    >
      {isTable ? (
        <table className="table dense">
          <thead>
            <tr>
              <th>Day</th>
              <th className="num">Orders</th>
              <th className="num">Taken</th>
              <th className="num">Refunded</th>
              <th className="num wide-only">VAT</th>
              <th className="num wide-only">Without VAT</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, orders, takenMinor, refundedMinor, vatMinor, netMinor }) => (
              <tr key={day}>
                <td>
                  <Link to="/orders" search={{ paid: `${day}..${day}`, state: 'settled' }}>
                    {shortDay(new Date(`${day}T12:00:00Z`)).short} <span className="muted small">{day}</span>
                  </Link>
                </td>
                <td className="num">{orders}</td>
                <td className="num">{amount(takenMinor)}</td>
                <td className="num muted">{refundedMinor > 0 ? amount(refundedMinor) : ''}</td>
                <td className="num muted wide-only">{amount(vatMinor)}</td>
                <td className="num wide-only">{amount(netMinor)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <DayBars
          label="Money taken on each day"
          width={isPhone ? 480 : 1000}
          days={daysOf(from, last).map((day) => ({ day, value: taken.get(day) ?? 0 }))}
        />
      )}
    </Section>
  )
}

const GROUP_WORDS: Readonly<Record<SalesGroup, string>> = {
  title: 'Title',
  publisher: 'Publisher',
  author: 'Author',
  narrator: 'Narrator',
  country: 'Country',
  rate: 'VAT rate',
  code: 'Code',
}

function Groups({ sales: { period } }: { readonly sales: SalesReply }) {
  const { search } = useListSearch()
  const by = SALES_GROUPS.find((each) => each === search.by) ?? 'title'
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['sales', period, by],
    queryFn: () => officeCall('GET /api/office/sales/groups', { query: { period, by } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title={`By ${GROUP_WORDS[by] === 'VAT rate' ? 'VAT rate' : GROUP_WORDS[by].toLowerCase()}`}
      note={<Download what={GROUP_WORDS[by]} file={`sales-by-${by}`} query={{ period, by }} />}
    >
      <nav className="views" aria-label="Sales by">
        {SALES_GROUPS.map((each) => (
          <Link
            key={each}
            to="."
            search={{ ...search, by: each }}
            aria-current={each === by ? 'page' : undefined}
            resetScroll={false}
          >
            {GROUP_WORDS[each]}
          </Link>
        ))}
      </nav>
      {error && !data ? (
        <Failed what="This table" problem={error} onRetry={() => void refetch()} />
      ) : (
        <table className={cx('table dense', isPlaceholderData && 'dimmed')} aria-busy={!data}>
          <thead>
            <tr>
              <th>{GROUP_WORDS[by]}</th>
              <th className="num wide-only">Sold</th>
              <th className="num wide-only">Codes took off</th>
              <th className="num wide-only">Refunded</th>
              <th className="num">Taken</th>
              <th className="num">Without VAT</th>
            </tr>
          </thead>
          <tbody>
            {!data && <BoneRows widths={[160, 40, 50, 50, 60, 60]} />}
            {data?.groups.map(({ name, copies, discountMinor, refundedMinor, takenMinor, netMinor }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="num wide-only">{copies}</td>
                <td className="num muted wide-only">{discountMinor > 0 ? amount(discountMinor) : ''}</td>
                <td className="num muted wide-only">{refundedMinor > 0 ? amount(refundedMinor) : ''}</td>
                <td className="num">{amount(takenMinor)}</td>
                <td className="num">{amount(netMinor)}</td>
              </tr>
            ))}
          </tbody>
          {data && (
            <tfoot>
              <tr>
                <td>Together</td>
                <td className="num wide-only">{data.total.copies}</td>
                <td className="num wide-only">
                  {data.total.discountMinor > 0 ? amount(data.total.discountMinor) : ''}
                </td>
                <td className="num wide-only">{amount(data.total.refundedMinor)}</td>
                <td className="num">{amount(data.total.takenMinor)}</td>
                <td className="num">{amount(data.total.netMinor)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
    </Section>
  )
}

const NAMES = new Map(COUNTRIES.map(({ code, name }) => [code, name]))

function Vat({ sales }: { readonly sales: SalesReply }) {
  const { rates, total, period } = sales
  const quarter = inUnit('quarter', sales)
  const may = useMay()
  const { busy, run } = useBusy()
  return (
    <Section title="VAT" note={<Download what="VAT" file="vat" query={{ period, by: 'rate' }} />}>
      <table className="table dense">
        <thead>
          <tr>
            <th>Country</th>
            <th className="num">Rate</th>
            <th className="num">Without VAT</th>
            <th className="num">VAT</th>
          </tr>
        </thead>
        <tbody>
          {rates.map(({ country, percent, netMinor, vatMinor }) => (
            <tr key={`${country} ${percent}`}>
              <td>{NAMES.get(country) ?? country}</td>
              <td className="num muted">{percent}%</td>
              <td className="num">{amount(netMinor)}</td>
              <td className="num">{amount(vatMinor)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>Titles and memberships</td>
            <td className="num">{amount(total.netMinor)}</td>
            <td className="num">{amount(total.vatMinor)}</td>
          </tr>
        </tfoot>
      </table>
      {may('sales.export') && (
        <p className="hint below">
          Your own return is the United Kingdom’s lines. For the European Union there is{' '}
          <TextButton
            aria-busy={busy || undefined}
            onClick={() =>
              void run(async () =>
                saveFile(
                  await officeFile('GET /api/office/sales/one-stop-shop/export', {
                    query: { period: quarter },
                  }),
                  `one-stop-shop-${quarter}.csv`,
                ),
              )
            }
          >
            the One Stop Shop sheet of {quarter.replace('-', ', ')}
          </TextButton>
          , in pounds.
        </p>
      )}
    </Section>
  )
}

interface DownloadProps {
  readonly what: string
  readonly file: string
  readonly query: { readonly period: string; readonly by?: SalesGroup }
}

function Download({ what, file, query }: DownloadProps) {
  const may = useMay()
  const { busy, run } = useBusy()
  if (!may('sales.export')) return null
  return (
    <TextButton
      aria-busy={busy || undefined}
      aria-label={`Download CSV: ${what}`}
      onClick={() =>
        void run(async () =>
          saveFile(
            await officeFile('GET /api/office/sales/export', { query }),
            `${file}-${query.period}.csv`,
          ),
        )
      }
    >
      Download CSV
    </TextButton>
  )
}
