import { CurrencyGbpIcon } from '@phosphor-icons/react/dist/csr/CurrencyGbp'
import { UploadSimpleIcon } from '@phosphor-icons/react/dist/csr/UploadSimple'
import { TagIcon } from '@phosphor-icons/react/dist/csr/Tag'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import type { ListedTitle } from '#contract/office/titles.ts'
import { amount } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { OfficeTable } from '../../list/OfficeTable.tsx'
import type { BuiltInView, Column, Filter } from '../../list/list-types.ts'
import { useListSearch } from '../../list/use-list-search.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { InlinePrice } from './InlinePrice.tsx'
import { FORMAT_WORDS, STATE_WORDS, TitleStateMark } from './title-words.tsx'
import './titles.css'

const columnsOf = (mayChange: boolean): readonly Column<ListedTitle>[] => [
  {
    key: 'title',
    head: 'Title',
    sort: 'title',
    cutAt: 36,
    onPhone: 'start',
    cell: ({ slug, title, authors, cover, format }) => (
      <Link to="/titles/$slug" params={{ slug }} className="title-cell">
        <span className="title-cover" data-format={format}>
          {cover && <img src={cover} alt="" loading="lazy" decoding="async" width={36} height={36} />}
        </span>
        <span className="two-lines">
          <b className="strong">{title}</b>
          <small>{authors}</small>
        </span>
      </Link>
    ),
  },
  {
    key: 'state',
    head: 'State',
    onPhone: 'below-end',
    cell: (title) => <TitleStateMark {...title} />,
  },
  {
    key: 'format',
    head: 'Format',
    cell: ({ format }) => <span className="muted">{FORMAT_WORDS[format]}</span>,
  },
  {
    key: 'publisher',
    head: 'Publisher',
    isExtra: true,
    cutAt: 16,
    cell: ({ publisher }) => <span className="muted">{publisher}</span>,
  },
  { key: 'isbn', head: 'ISBN', isExtra: true, cell: ({ isbn }) => <span className="muted">{isbn}</span> },
  {
    key: 'here',
    head: 'Set here',
    isExtra: true,
    cutAt: 16,
    cell: ({ setByOwner }) => <span className="muted">{setByOwner.join(', ')}</span>,
  },
  {
    key: 'price',
    head: 'Price',
    sort: 'price',
    isNumber: true,
    onPhone: 'end',
    cell: (title) =>
      mayChange ? (
        <InlinePrice title={title} />
      ) : title.priceMinor === null ? (
        <span className="muted">none</span>
      ) : (
        amount(title.priceMinor)
      ),
  },
  {
    key: 'members',
    head: 'Members',
    isNumber: true,
    cell: ({ memberMinor }) => (
      <span className="muted">{memberMinor === null ? 'none' : amount(memberMinor)}</span>
    ),
  },
  {
    key: 'sold',
    head: 'Sold',
    sort: 'sold',
    isNumber: true,
    cell: ({ sold }) => (sold > 0 ? sold : ''),
  },
]

const TO_READ = columnsOf(false)
const TO_CHANGE = columnsOf(true)

const FILTERS: readonly Filter[] = [
  {
    key: 'state',
    label: 'State',
    kind: 'choice',
    options: Object.entries(STATE_WORDS).map(([value, { words }]) => ({ value, label: words.toLowerCase() })),
  },
  {
    key: 'format',
    label: 'Format',
    kind: 'choice',
    options: [
      { value: 'audio_book', label: 'audiobook' },
      { value: 'e_book', label: 'e-book' },
    ],
  },
  {
    key: 'missing',
    label: 'Missing',
    kind: 'choice',
    options: ['any', 'price', 'sound', 'text', 'cover', 'description', 'author'].map((value) => ({
      value,
      label: value === 'any' ? 'anything' : value,
    })),
  },
  {
    key: 'other',
    label: 'Other format',
    kind: 'choice',
    options: [
      { value: 'yes', label: 'here too' },
      { value: 'no', label: 'not here' },
    ],
  },
  {
    key: 'here',
    label: 'Set here',
    kind: 'choice',
    options: [
      { value: 'yes', label: 'something, whatever the folder says' },
      { value: 'no', label: 'nothing' },
    ],
  },
]

const VIEWS: readonly BuiltInView[] = [
  { name: 'All', search: {} },
  { name: 'On sale', search: { state: 'on-sale' } },
  { name: 'Not finished', search: { state: 'not-on-sale' } },
  { name: 'Drafts', search: { state: 'draft' } },
  { name: 'Audiobooks without an e-book', search: { format: 'audio_book', other: 'no' } },
  { name: 'Retired', search: { state: 'retired' } },
]

/** The most titles in one preview, as in `contract/office/titles.ts`. */
const AT_ONCE = 1_000
/** An address with more is longer than servers accept. */
const IN_ADDRESS = 200

export function Titles() {
  const may = useMay()
  const navigate = useNavigate()
  const { search } = useListSearch()
  const open = (to: '/titles/prices' | '/titles/states', rows: readonly ListedTitle[]) => {
    const titleIds = rows.map(({ id }) => id)
    const isLong = titleIds.length > IN_ADDRESS
    const { ids: _former, ...rest } = search
    void navigate({
      to,
      search: isLong ? rest : { ...rest, ids: titleIds.join(',') },
      state: isLong ? { titleIds } : {},
    })
  }
  return (
    <OfficeTable<ListedTitle, object>
      list="titles"
      title="Titles"
      noun={['title', 'titles']}
      columns={may('titles.change') ? TO_CHANGE : TO_READ}
      filters={FILTERS}
      views={VIEWS}
      searchFor="Title, author, publisher, ISBN"
      sort="-sold"
      rowPx={52}
      idOf={({ id }) => String(id)}
      nameOf={({ title }) => title}
      acts={
        <>
          {may('pages.read') && <LinkButton to="/titles/months">Months</LinkButton>}
          {may('titles.import') && (
            <LinkButton look="beak" icon={UploadSimpleIcon} to="/titles/import">
              Bring in books
            </LinkButton>
          )}
        </>
      }
      exportFile={(query) => officeFile('GET /api/office/titles/list/export', { query })}
      fetchPage={(query, after) =>
        officeCall('GET /api/office/titles', { query: { ...query, ...(after && { after }) } })
      }
      sumWords={() => 'sold: last 30 days'}
      {...(may('titles.change') && {
        selection: {
          atMost: AT_ONCE,
          acts: (rows: readonly ListedTitle[]) => (
            <>
              <button type="button" onClick={() => open('/titles/prices', rows)}>
                <Icon of={CurrencyGbpIcon} size={17} />
                Change {rows.length === 1 ? 'the price' : 'prices'}
              </button>
              <button type="button" onClick={() => open('/titles/states', rows)}>
                <Icon of={TagIcon} size={17} />
                Change {rows.length === 1 ? 'the state' : 'states'}
              </button>
            </>
          ),
        },
      })}
      empty={{
        title: 'No titles yet.',
        help: 'Bring in books: a folder of audiobooks or e-books, or a catalogue.',
      }}
    >
      <Outlet />
    </OfficeTable>
  )
}
