import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Link, Outlet } from '@tanstack/react-router'
import type { DocumentState, ListedDocument } from '#contract/office/documents.ts'
import { DocumentStateMark } from '../../documents/DocumentStateMark.tsx'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { exactly, when } from '../../ui/when.ts'
import { KIND_WORDS } from './kind-words.ts'

const COLUMNS: readonly Column<ListedDocument>[] = [
  {
    key: 'title',
    head: 'Piece',
    sort: 'title',
    cutAt: 40,
    onPhone: 'start',
    cell: ({ kind, key, title }) => (
      <Link to="/journal/$kind/$key" params={{ kind, key }} className="strong">
        {title || 'Without a title'}
      </Link>
    ),
  },
  {
    key: 'kind',
    head: 'Kind',
    onPhone: 'below',
    cell: ({ kind }) => <span className="muted">{KIND_WORDS[kind]?.one}</span>,
  },
  {
    key: 'author',
    head: 'By',
    cutAt: 18,
    cell: ({ author }) => <span className="muted">{author ?? ''}</span>,
  },
  {
    key: 'at',
    head: 'Published',
    sort: 'at',
    onPhone: 'end',
    cell: ({ at }) =>
      at && (
        <time dateTime={at} title={exactly(at)} className="muted nowrap">
          {when(at)}
        </time>
      ),
  },
  {
    key: 'saved',
    head: 'Last saved by',
    isExtra: true,
    cell: ({ savedBy, savedAt }) => (savedBy && savedAt ? `${savedBy}, ${when(savedAt)}` : ''),
  },
  {
    key: 'state',
    head: 'State',
    onPhone: 'below-end',
    cell: (row) => <DocumentStateMark document={{ ...row, publishAt: row.at }} />,
  },
]

const STATES: Readonly<Record<DocumentState, string>> = {
  live: 'published',
  draft: 'never published',
  scheduled: 'later',
  hidden: 'hidden',
  binned: 'in the bin',
}

const FILTERS: readonly Filter[] = [
  {
    key: 'kind',
    label: 'Kind',
    kind: 'choice',
    options: Object.entries(KIND_WORDS).map(([value, { many }]) => ({ value, label: many.toLowerCase() })),
  },
  {
    key: 'state',
    label: 'State',
    kind: 'choice',
    options: Object.entries(STATES).map(([value, label]) => ({ value, label })),
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Drafts', search: { state: 'draft' } },
  { name: 'Later', search: { state: 'scheduled' } },
  { name: 'Bin', search: { state: 'binned' } },
]

export function Journal() {
  const may = useMay()
  return (
    <OfficeTable<ListedDocument, object>
      list="journal"
      title="Journal"
      noun={['piece', 'pieces']}
      columns={COLUMNS}
      filters={FILTERS}
      views={VIEWS}
      searchFor="Title or author"
      sort="-at"
      idOf={({ kind, key }) => `${kind} ${key}`}
      exportFile={(query) => officeFile('GET /api/office/journal/export', { query })}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/journal', { query: { ...query, ...(after && { after }) } })
      }
      acts={
        may('pages.change') && (
          <LinkButton look="beak" icon={PlusIcon} to="/journal/new">
            Write a piece
          </LinkButton>
        )
      }
      empty={{
        title: 'Nothing is written yet.',
        help: 'Articles, podcasts and events are here, with their drafts.',
      }}
    >
      <Outlet />
    </OfficeTable>
  )
}
