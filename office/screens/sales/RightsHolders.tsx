import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { HOLDER_KINDS, type HolderKind } from '#contract/office/sales-groups.ts'
import type { SoldByHolder } from '#contract/office/sales.ts'
import { amount } from '#format/money.ts'
import { cx } from '#ui/cx.ts'
import { saveFile } from '#ui/save-file.ts'
import { useListSearch } from '../../list/use-list-search.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { useBusy } from '../../net/use-act.ts'
import { Button, TextButton } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { PeriodPicker, periodWords } from './PeriodPicker.tsx'
import '../../list/list.css'
import './sales.css'

const WORDS: Readonly<Record<HolderKind, readonly [one: string, many: string]>> = {
  publisher: ['Publisher', 'Publishers'],
  author: ['Author', 'Authors'],
  narrator: ['Narrator', 'Narrators'],
}

/** What royalties are paid from: a statement for each rights holder, as PDF and as CSV. */
export function RightsHolders() {
  const { search } = useListSearch()
  const by = HOLDER_KINDS.find((each) => each === search.by) ?? 'publisher'
  const { period: asked } = search
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['sales', asked, 'rights holders', by],
    queryFn: () =>
      officeCall('GET /api/office/sales/rights-holders', { query: { by, ...(asked && { period: asked }) } }),
    placeholderData: keepPreviousData,
  })
  const download = useDownload(by, data?.period ?? '')
  return (
    <Page
      title="Rights holders"
      crumb={
        <>
          <Link to="/sales" search={asked ? { period: asked } : {}}>
            Sales and VAT
          </Link>{' '}
          <span>Rights holders</span>
        </>
      }
      acts={data && <PeriodPicker span={data} />}
    >
      <nav className="views" aria-label="Rights holders">
        {HOLDER_KINDS.map((each) => (
          <Link
            key={each}
            to="."
            search={{ ...search, by: each }}
            aria-current={each === by ? 'page' : undefined}
          >
            {WORDS[each][1]}
          </Link>
        ))}
        {data && data.holders.length > 0 && download.isAllowed && (
          <span className="push">
            <Button compact sends busy={download.busy} onClick={() => download.csv()}>
              All as CSV
            </Button>
          </span>
        )}
      </nav>
      {data ? (
        data.holders.length > 0 ? (
          <Holders holders={data.holders} by={by} download={download} isDimmed={isPlaceholderData} />
        ) : (
          <Empty
            title="Nothing to state."
            help={`No title was sold, refunded or given away in ${periodWords(data)}.`}
          />
        )
      ) : error ? (
        <Failed what="The rights holders" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the rights holders" />
      )}
      <p className="hint sales-foot">
        Money of a title with several authors or narrators is divided equally; its copies count for each of
        them. What you owe follows from your contracts.
      </p>
    </Page>
  )
}

function useDownload(by: HolderKind, period: string) {
  const may = useMay()
  const { busy, run } = useBusy()
  const load = (as: 'pdf' | 'csv', name?: string) =>
    void run(async () =>
      saveFile(
        await officeFile('GET /api/office/sales/rights-holders/export', {
          query: { period, by, as, ...(name !== undefined && { name }) },
        }),
        `${name ?? `${by}s`} ${period}.${as}`,
      ),
    )
  return {
    busy,
    isAllowed: may('sales.export'),
    pdf: (name: string) => load('pdf', name),
    csv: (name?: string) => load('csv', name),
  }
}

interface HoldersProps {
  readonly holders: readonly SoldByHolder[]
  readonly by: HolderKind
  readonly download: ReturnType<typeof useDownload>
  readonly isDimmed: boolean
}

function Holders({ holders, by, download, isDimmed }: HoldersProps) {
  const [open, setOpen] = useState<string>()
  return (
    <table className={cx('table holders', isDimmed && 'dimmed')}>
      <thead>
        <tr>
          <th>{WORDS[by][0]}</th>
          <th className="num wide-only">Sold</th>
          <th className="num wide-only">Free audiobooks</th>
          <th className="num wide-only">Cards</th>
          <th className="num wide-only">Given away</th>
          <th className="num wide-only">Codes took off</th>
          <th className="num wide-only">Refunded</th>
          <th className="num">Without VAT</th>
          {download.isAllowed && <th className="num">Statement</th>}
        </tr>
      </thead>
      <tbody>
        {holders.map((holder) => {
          const isOpen = open === holder.name
          return (
            <Fragment key={holder.name}>
              <tr>
                <th scope="row">
                  <TextButton
                    className="strong"
                    aria-expanded={isOpen}
                    onClick={() => setOpen(isOpen ? undefined : holder.name)}
                  >
                    {holder.name}
                  </TextButton>
                </th>
                <Figures of={holder} />
                {download.isAllowed && (
                  <td className="num nowrap">
                    <TextButton
                      aria-label={`Statement of ${holder.name} as PDF`}
                      aria-busy={download.busy || undefined}
                      onClick={() => download.pdf(holder.name)}
                    >
                      PDF
                    </TextButton>{' '}
                    <TextButton
                      aria-label={`Statement of ${holder.name} as CSV`}
                      aria-busy={download.busy || undefined}
                      onClick={() => download.csv(holder.name)}
                    >
                      CSV
                    </TextButton>
                  </td>
                )}
              </tr>
              {isOpen &&
                holder.titles.map((title) => (
                  <tr key={title.title} className="holder-title">
                    <td>{title.title}</td>
                    <Figures of={title} />
                    {download.isAllowed && <td aria-hidden="true" />}
                  </tr>
                ))}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

const Figures = ({
  of: { copies, credits, cards, free, discountMinor, refundedMinor, netMinor },
}: {
  readonly of: Omit<SoldByHolder, 'name' | 'titles'>
}) => (
  <>
    <td className="num wide-only">{copies}</td>
    <td className="num wide-only">{credits || ''}</td>
    <td className="num wide-only">{cards || ''}</td>
    <td className="num wide-only">{free || ''}</td>
    <td className="num muted wide-only">{discountMinor > 0 ? amount(discountMinor) : ''}</td>
    <td className="num muted wide-only">{refundedMinor > 0 ? amount(refundedMinor) : ''}</td>
    <td className="num strong">{amount(netMinor)}</td>
  </>
)
