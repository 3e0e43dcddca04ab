import { Link, Outlet } from '@tanstack/react-router'
import type { Profile } from '#contract/office/profiles.ts'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import { officeCall, officeFile } from '../../net/office-call.ts'

const KIND_WORDS: Readonly<Record<Profile['kind'], string>> = {
  person: 'Author or narrator',
  publisher: 'Publisher',
}

const COLUMNS: readonly Column<Profile>[] = [
  {
    key: 'name',
    head: 'Name',
    onPhone: 'start',
    cell: ({ kind, id, name }) => (
      <Link to="/profiles/$kind/$id" params={{ kind, id: String(id) }}>
        <b className="strong">{name}</b>
      </Link>
    ),
  },
  {
    key: 'kind',
    head: 'Kind',
    onPhone: 'below',
    cell: ({ kind }) => <span className="muted">{KIND_WORDS[kind]}</span>,
  },
  { key: 'titles', head: 'Titles', isNumber: true, cell: ({ titles }) => titles },
  {
    key: 'about',
    head: 'Their page says',
    cutAt: 48,
    onPhone: 'below-end',
    cell: ({ about }) => about ?? <span className="muted">Nothing yet</span>,
  },
  {
    key: 'here',
    head: 'Set here',
    isExtra: true,
    cell: ({ isSetHere }) => (isSetHere ? 'Yes' : <span className="muted">No</span>),
  },
]

const FILTERS: readonly Filter[] = [
  {
    key: 'kind',
    label: 'Kind',
    kind: 'choice',
    options: Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label: label.toLowerCase() })),
  },
  {
    key: 'about',
    label: 'Their page says',
    kind: 'choice',
    options: [{ value: 'none', label: 'nothing yet' }],
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'Authors and narrators', search: { kind: 'person' } },
  { name: 'Publishers', search: { kind: 'publisher' } },
  { name: 'Without words', search: { about: 'none' } },
]

export const Profiles = () => (
  <OfficeTable<Profile, object>
    list="profiles"
    title="Authors and publishers"
    noun={['name', 'names']}
    columns={COLUMNS}
    filters={FILTERS}
    views={VIEWS}
    searchFor="A name, or a part of it"
    sort="name"
    idOf={({ kind, id }) => `${kind}-${id}`}
    nameOf={({ name }) => name}
    exportFile={({ sort: _sort, ...query }) => officeFile('GET /api/office/profiles/export', { query })}
    fetchPage={({ sort: _sort, ...query }, after) =>
      officeCall('GET /api/office/profiles', { query: { ...query, ...(after && { after }) } })
    }
    empty={{ title: 'Nobody yet.', help: 'Authors, narrators and publishers come with their titles.' }}
  >
    <Outlet />
  </OfficeTable>
)
