import { useQuery } from '@tanstack/react-query'
import type { Entry } from '#contract/office/activity.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { exactly, when } from '../../ui/when.ts'
import { UndoCell } from './ActivityLines.tsx'

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: 'when',
    head: 'When',
    onPhone: 'start',
    cell: ({ at }) => (
      <time dateTime={at} title={exactly(at)} className="muted nowrap">
        {when(at)}
      </time>
    ),
  },
  { key: 'who', head: 'Who', onPhone: 'middle', cell: ({ by }) => <b className="strong nowrap">{by}</b> },
  {
    key: 'what',
    head: 'What',
    cutAt: 36,
    onPhone: 'below',
    cell: ({ what, outcome }) => (
      <span title={what}>
        {what}
        {outcome !== 'done' && <span className="warning"> (not finished)</span>}
      </span>
    ),
  },
  { key: 'about', head: 'About', cutAt: 20, cell: ({ about }) => <span className="muted">{about}</span> },
  {
    key: 'why',
    head: 'Why',
    cutAt: 20,
    cell: ({ because }) => because && <span title={because}>“{because}”</span>,
  },
  { key: 'before', head: 'Before', isExtra: true, cutAt: 14, cell: ({ before }) => before },
  { key: 'after', head: 'After', isExtra: true, cutAt: 14, cell: ({ after }) => after },
  {
    key: 'undo',
    head: 'Undo',
    isNumber: true,
    onPhone: 'below-end',
    cell: (entry) => <UndoCell entry={entry} />,
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Refunds', search: { kind: 'orders refund' } },
  { name: 'Exports', search: { words: 'as CSV' } },
]

/** Who did what, in the office and by commands. */
export function Activity() {
  const may = useMay()
  // Who and what there is to choose from.
  const { data } = useQuery({
    queryKey: ['activity', 'names'],
    queryFn: () => officeCall('GET /api/office/activity', { query: { limit: 1 } }),
  })
  const choices = (names: readonly string[] = []) => names.map((name) => ({ value: name, label: name }))
  const filters: readonly Filter[] = [
    { key: 'by', label: 'Who', kind: 'choice', options: choices(data?.people) },
    { key: 'kind', label: 'Kind', kind: 'choice', options: choices(data?.kinds) },
    { key: 'about', label: 'About', kind: 'text', hint: 'All of it, such as “order M-100012”.' },
  ]
  return (
    <OfficeTable<Entry, unknown>
      list="activity"
      title="Activity"
      noun={['entry', 'entries']}
      columns={COLUMNS}
      filters={filters}
      views={VIEWS}
      searchFor="What, why, who or about what"
      sort="-when"
      idOf={({ id }) => String(id)}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/activity', { query: { ...query, ...(after && { after }) } })
      }
      exportFile={
        may('activity.export')
          ? ({ sort: _sort, ...query }) => officeFile('GET /api/office/activity/export', { query })
          : undefined
      }
      empty={{
        title: 'Nothing has been done yet.',
        help: 'Each act in the office or by a command is written down here.',
      }}
    />
  )
}
