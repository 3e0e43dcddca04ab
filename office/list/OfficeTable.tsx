import { ArrowDownIcon } from '@phosphor-icons/react/dist/csr/ArrowDown'
import { ArrowUpIcon } from '@phosphor-icons/react/dist/csr/ArrowUp'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { useMedia } from '#ui/use-media.ts'
import { useBusy } from '../net/use-act.ts'
import { Button, TextButton } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { BoneRows, Empty, Failed } from '../ui/states.tsx'
import { Columns, shownColumns } from './Columns.tsx'
import { Export } from './Export.tsx'
import { Filters } from './Filters.tsx'
import {
  type BuiltInView,
  type Column,
  type Filter,
  filtersIn,
  type ListPage,
  type ListSearch,
} from './list-types.ts'
import { useListSearch } from './use-list-search.ts'
import { useRowKeys } from './use-row-keys.ts'
import { Views } from './Views.tsx'
import { PHONE } from '../ui/windows.ts'
import './list.css'

interface Selection<Row> {
  /** The most rows that can be selected. */
  readonly atMost?: number
  /** After the count: `£687.90`. */
  readonly sumWords?: (rows: readonly Row[]) => string
  readonly acts: (rows: readonly Row[], clear: () => void) => ReactNode
}

interface OfficeTableProps<Row, Sums> {
  /** Names its queries and its saved views. */
  readonly list: string
  readonly title: string
  /** `order`, `orders` */
  readonly noun: readonly [one: string, many: string]
  readonly columns: readonly Column<Row>[]
  readonly filters: readonly Filter[]
  readonly views: readonly BuiltInView[]
  readonly searchFor: string
  /** The order if the address has none. */
  readonly sort: string
  readonly idOf: (row: Row) => string
  /** What a row is called, if its id says nothing to a person. */
  readonly nameOf?: (row: Row) => string
  /** The height of a row that is no plain line. */
  readonly rowPx?: number
  readonly fetchPage: (query: ListSearch, after: string | undefined) => Promise<ListPage<Row, Sums>>
  /** For a list that changes while one looks at it. */
  readonly renewEveryMs?: number
  /** After the count: `£687.90`. */
  readonly sumWords?: (sums: Sums) => string
  /** What can be done with selected rows. Without it nothing can be selected. */
  readonly selection?: Selection<Row>
  readonly exportFile?: ((query: ListSearch) => Promise<Blob>) | undefined
  readonly acts?: ReactNode
  /** Shown if there is nothing at all, without any filter. */
  readonly empty: { readonly title: string; readonly help: string }
  /** A drawer. */
  readonly children?: ReactNode
}

const ROW_PX = 44
const PHONE_ROW_PX = 64
/** Rows grow with the browser's text size. */
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize || '16') / 16
const SELECTED_AT_MOST = 1_000

/**
 * Every list of the office. Filters, order and columns are in the address; pages come as one scrolls; only the rows in
 * view are drawn. On a phone a row has two lines, and there is no selection.
 */
export function OfficeTable<Row, Sums>(props: OfficeTableProps<Row, Sums>) {
  const { list, title, noun, columns, filters, views, fetchPage, idOf, selection, exportFile } = props
  const { nameOf = idOf, rowPx = ROW_PX } = props
  const { search, set, replaceAll } = useListSearch()
  const isPhone = useMedia(PHONE)
  const given = filtersIn(search, filters)
  const sort = search.sort ?? props.sort
  const query = { ...given, sort }
  const { data, error, isPlaceholderData, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery({
      queryKey: [list, query],
      queryFn: ({ pageParam }) => fetchPage({ ...query, part: 'rows' }, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      // The rows stay, dimmed, until the filtered ones are here.
      placeholderData: keepPreviousData,
      // Comparing all loaded rows with each other at each new page takes longer than a frame from 10,000 rows on.
      structuralSharing: false,
      refetchInterval: props.renewEveryMs ?? false,
    })
  const { data: totals } = useQuery({
    queryKey: [list, query, 'totals'],
    queryFn: () => fetchPage({ ...query, part: 'totals' }, undefined),
  })
  const pages = data?.pages
  const rows = useMemo(() => rowsOf(pages ?? []), [pages])
  const first = pages?.[0]
  const { columns: chosenColumns } = search
  const shown = useMemo(
    () => shownColumns(columns, chosenColumns === undefined ? {} : { columns: chosenColumns }),
    [columns, chosenColumns],
  )

  const [selected, setSelected] = useState<Selected>(new Map())
  const chosen = useMemo(() => rowsSelected(rows, selected, idOf), [rows, selected, idOf])
  const canSelect = selection !== undefined && !isPhone
  const atMost = selection?.atMost ?? SELECTED_AT_MOST
  const toggle = useCallback(
    (id: string, index: number) =>
      setSelected((before) => {
        const after = new Map(before)
        if (!after.delete(id)) after.set(id, index)
        return after
      }),
    [],
  )
  const clear = () => setSelected(new Map())
  const selectFirst = (loaded: readonly Row[], most: number) =>
    setSelected(new Map(loaded.slice(0, most).map((row, index) => [idOf(row), index])))
  /** Also the rows that were not scrolled to. */
  const selectUpTo = async (most: number) => {
    let loaded = pages ?? []
    for (let hasMore = hasNextPage; hasMore && rowsOf(loaded).length < most;) {
      const next = await fetchNextPage()
      loaded = next.data?.pages ?? loaded
      hasMore = next.hasNextPage && !next.isError
    }
    selectFirst(rowsOf(loaded), most)
  }

  return (
    <Page
      title={title}
      acts={
        <>
          <Columns columns={columns} />
          {exportFile && <Export list={list} load={() => exportFile(query)} />}
          {props.acts}
        </>
      }
    >
      <Views list={list} builtIn={views} />
      <div className="list-bar">
        <Filters filters={filters} placeholder={props.searchFor} />
        <span className="push small muted" role="status">
          {totals && countWords(totals, noun, props.sumWords)}
        </span>
      </div>
      {error && !data ? (
        <Failed what={`The ${noun[1]}`} problem={error} onRetry={() => void refetch()} />
      ) : first?.rows.length === 0 && !isPlaceholderData ? (
        <NothingFound
          empty={props.empty}
          filters={filters}
          given={given}
          noun={noun}
          onRemove={(key) => set({ [key]: '' })}
          onClear={() => replaceAll({})}
        />
      ) : (
        <table
          className={cx('table rows', isPlaceholderData && 'dimmed')}
          aria-busy={!data}
          aria-rowcount={rowCount(totals)}
        >
          <thead>
            <tr>
              {canSelect && (
                <th className="check">
                  <SelectAll
                    loaded={rows.length}
                    atMost={atMost}
                    selected={chosen.length}
                    noun={noun[1]}
                    onChange={(all) => (all ? selectFirst(rows, atMost) : clear())}
                  />
                </th>
              )}
              {shown.map((column) => (
                <Head key={column.key} column={column} sort={sort} onSort={(next) => set({ sort: next })} />
              ))}
            </tr>
          </thead>
          {data ? (
            <Rows
              rows={rows}
              shown={shown}
              rowPx={(isPhone ? PHONE_ROW_PX : rowPx) * textScale()}
              idOf={idOf}
              nameOf={nameOf}
              selected={canSelect ? selected : undefined}
              onToggle={toggle}
              onClear={clear}
              onNearEnd={hasNextPage && !isFetchingNextPage ? fetchNextPage : undefined}
            />
          ) : (
            <tbody>
              <BoneRows
                widths={[...(canSelect ? [18] : []), ...shown.map(({ cutAt }) => (cutAt ? 160 : 70))]}
                rows={12}
              />
            </tbody>
          )}
        </table>
      )}
      {error && data && (
        <Failed what={`The rest of the ${noun[1]}`} problem={error} onRetry={() => void refetch()} />
      )}
      {canSelect && chosen.length > 0 && (
        <SelectionBar
          noun={noun[1]}
          selection={selection}
          atMost={atMost}
          chosen={chosen}
          rows={rows}
          total={totals?.total ?? rows.length}
          onSelect={selectUpTo}
          onClear={clear}
        />
      )}
      {props.children}
    </Page>
  )
}

/** The ids of selected rows, each with its place in the list when it was selected. */
type Selected = ReadonlyMap<string, number>

/** In the order of the list. Looks at all rows only if some have moved: with 100,000 that takes longer than a frame. */
function rowsSelected<Row>(rows: readonly Row[], selected: Selected, idOf: (row: Row) => string): Row[] {
  const places = [...selected].toSorted(([, one], [, other]) => one - other)
  const found = places.flatMap(([id, index]) => {
    const row = rows[index]
    return row !== undefined && idOf(row) === id ? [row] : []
  })
  return found.length === places.length ? found : rows.filter((row) => selected.has(idOf(row)))
}

interface RowsProps<Row> {
  readonly rows: readonly Row[]
  readonly shown: readonly Column<Row>[]
  readonly rowPx: number
  readonly idOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** Undefined if rows can't be selected. */
  readonly selected: Selected | undefined
  readonly onToggle: (id: string, index: number) => void
  readonly onClear: () => void
  /** Undefined if nothing follows, or is on its way. */
  readonly onNearEnd: (() => Promise<unknown>) | undefined
}

/** The rows in view. Apart from the list around them, which a scroll then doesn't render. */
function Rows<Row>({
  rows,
  shown,
  rowPx,
  idOf,
  nameOf,
  selected,
  onToggle,
  onClear,
  onNearEnd,
}: RowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [offset, setOffset] = useState(0)
  useEffect(() => {
    if (body.current) setOffset(body.current.getBoundingClientRect().top + scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- its functions are new at each render, and no child gets them
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    // More rows make each jump a longer task; fewer show empty space while scrolling.
    overscan: 6,
    scrollMargin: offset,
    // So that rendering the rows and their layout are two tasks.
    useFlushSync: false,
  })
  const visible = virtual.getVirtualItems()
  const lastVisible = visible.at(-1)?.index ?? 0
  const isNearEnd = lastVisible >= rows.length - 20
  useEffect(() => {
    if (isNearEnd) void onNearEnd?.()
  }, [isNearEnd, onNearEnd])

  /** The row that has the keyboard; -1 for none. */
  const focused = useRef(-1)
  const onFocus = useCallback((index: number) => {
    focused.current = index
  }, [])
  const moveTo = (row: number) => {
    focused.current = row
    virtual.scrollToIndex(row)
    // The row may be drawn only after the scroll.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${row}"] a`)?.focus())
  }
  useRowKeys({
    count: rows.length,
    focused,
    onMove: moveTo,
    onSelect: selected && ((row) => rows[row] && onToggle(idOf(rows[row]), row)),
    onClear: () => {
      if (!selected || selected.size === 0) return false
      onClear()
      return true
    },
  })

  const above = visible[0] ? visible[0].start - offset : 0
  const below = visible.length > 0 ? virtual.getTotalSize() - (visible.at(-1)!.end - offset) : 0
  const span = shown.length + (selected ? 1 : 0)
  return (
    <tbody ref={body}>
      {above > 0 && <Spacer px={above} span={span} />}
      {visible.map(({ index }) => {
        const row = rows[index]
        if (!row) return null
        const id = idOf(row)
        return (
          <DrawnRow
            key={id}
            {...{ row, id, index, shown }}
            name={nameOf(row)}
            isSelected={selected?.has(id)}
            onToggle={onToggle}
            onFocus={onFocus}
          />
        )
      })}
      {below > 0 && <Spacer px={below} span={span} />}
    </tbody>
  )
}

interface DrawnRowProps<Row> {
  readonly row: Row
  readonly id: string
  readonly name: string
  readonly index: number
  readonly shown: readonly Column<Row>[]
  /** Undefined if rows can't be selected. */
  readonly isSelected: boolean | undefined
  readonly onToggle: (id: string, index: number) => void
  readonly onFocus: (index: number) => void
}

/** Drawn again only if it changes: a scroll renders the rows that come into view, and no others. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `memo` forgets the type of the row
const DrawnRow = memo(DrawRow) as typeof DrawRow

function DrawRow<Row>({ row, id, name, index, shown, isSelected, onToggle, onFocus }: DrawnRowProps<Row>) {
  return (
    <tr data-row={index} aria-rowindex={index + 2} aria-selected={isSelected} onFocus={() => onFocus(index)}>
      {isSelected !== undefined && (
        <td className="check">
          <input
            type="checkbox"
            className="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={() => onToggle(id, index)}
          />
        </td>
      )}
      {shown.map(({ key, cell, isNumber, cutAt, onPhone }) => (
        <td
          key={key}
          className={cx(
            isNumber && 'num',
            cutAt !== undefined && 'cut',
            onPhone ? `on-phone-${onPhone}` : 'wide-only',
          )}
          style={cutAt ? { width: `${cutAt}%` } : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** How many rows are selected, and of how many if they are the first of a list and no more can be selected. */
export function selectedWords(count: number, isFirst: boolean, total: number): string {
  const words = count.toLocaleString('en-GB')
  return isFirst && total > count
    ? `The first ${words} of ${total.toLocaleString('en-GB')} are selected`
    : `${words} selected`
}

interface SelectionBarProps<Row> {
  readonly noun: string
  readonly selection: Selection<Row>
  readonly atMost: number
  readonly chosen: readonly Row[]
  /** The rows that are loaded. */
  readonly rows: readonly Row[]
  /** Rows of the list. */
  readonly total: number
  readonly onSelect: (most: number) => Promise<void>
  readonly onClear: () => void
}

function SelectionBar<Row>({
  noun,
  selection: { sumWords, acts },
  atMost,
  chosen,
  rows,
  total,
  onSelect,
  onClear,
}: SelectionBarProps<Row>) {
  const { busy, run } = useBusy()
  const count = chosen.length === rows.length ? Math.min(total, atMost) : chosen.length
  const isFirst = chosen.length === atMost && chosen.at(-1) === rows[atMost - 1]
  return (
    <div className="selection" role="region" aria-label={`Selected ${noun}`}>
      <b>{[selectedWords(chosen.length, isFirst, total), sumWords?.(chosen)].filter(Boolean).join(', ')}</b>
      {chosen.length < count && (
        <button type="button" aria-disabled={busy} onClick={() => void (!busy && run(() => onSelect(count)))}>
          Select {count < total ? 'the first' : 'all'} {count.toLocaleString('en-GB')}
        </button>
      )}
      {chosen.length > atMost ? (
        <span>At most {atMost.toLocaleString('en-GB')} at once</span>
      ) : (
        acts(chosen, onClear)
      )}
      <hr />
      <button type="button" onClick={onClear}>
        Clear <small>Esc</small>
      </button>
    </div>
  )
}

const rowsOf = <Row, Sums>(pages: readonly ListPage<Row, Sums>[]): Row[] => pages.flatMap((page) => page.rows)

function countWords<Sums>(
  { total = 0, sums }: ListPage<unknown, Sums>,
  [one, many]: readonly [string, string],
  sumWords: ((sums: Sums) => string) | undefined,
): string {
  const count = `${total.toLocaleString('en-GB')} ${total === 1 ? one : many}`
  return [count, sums && sumWords?.(sums)].filter(Boolean).join(', ')
}

/** With the row of heads. -1: not known yet. */
const rowCount = (totals: ListPage<unknown, unknown> | undefined): number =>
  totals?.total === undefined ? -1 : totals.total + 1

function Head<Row>({
  column: { head, sort: key, isNumber, onPhone },
  sort,
  onSort,
}: {
  readonly column: Column<Row>
  readonly sort: string
  readonly onSort: (sort: string) => void
}) {
  const isDown = sort === `-${key}`
  const isUp = sort === key
  return (
    <th
      className={cx(isNumber && 'num', !onPhone && 'wide-only')}
      aria-sort={key && isDown ? 'descending' : key && isUp ? 'ascending' : undefined}
    >
      {key ? (
        <button type="button" onClick={() => onSort(isDown ? key : `-${key}`)}>
          {head}
          {(isDown || isUp) && <Icon of={isDown ? ArrowDownIcon : ArrowUpIcon} size={13} />}
        </button>
      ) : (
        head
      )}
    </th>
  )
}

interface SelectAllProps {
  readonly loaded: number
  /** No act takes more, so no more are selected. */
  readonly atMost: number
  readonly selected: number
  readonly noun: string
  readonly onChange: (all: boolean) => void
}

function SelectAll({ loaded, atMost, selected, noun, onChange }: SelectAllProps) {
  const isAll = loaded > 0 && selected >= Math.min(loaded, atMost)
  return (
    <input
      type="checkbox"
      className="checkbox"
      aria-label={
        loaded > atMost
          ? `Select the first ${atMost.toLocaleString('en-GB')} ${noun}`
          : `Select all ${loaded} ${noun} that are loaded`
      }
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && !isAll
      }}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

const nameOfFilter = (filters: readonly Filter[], key: string): string =>
  `the filter ${filters.find((filter) => filter.key === key)?.label ?? key}`

/** In place of the rows that are out of view. */
const Spacer = ({ px, span }: { readonly px: number; readonly span: number }) => (
  <tr aria-hidden="true" className="spacer">
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- only takes up space */}
    <td colSpan={span} style={{ height: px }} />
  </tr>
)

interface NothingFoundProps {
  readonly empty: { readonly title: string; readonly help: string }
  readonly filters: readonly Filter[]
  readonly given: ListSearch
  readonly noun: readonly [string, string]
  readonly onRemove: (key: string) => void
  readonly onClear: () => void
}

function NothingFound({ empty, filters, given, noun, onRemove, onClear }: NothingFoundProps) {
  const set = Object.keys(given)
  if (set.length === 0) return <Empty title={empty.title} help={empty.help} />
  return (
    <Empty title={`No ${noun[1]} like that.`} help="These filters leave nothing. Remove one, or all of them.">
      {set.map((key) => (
        <TextButton key={key} onClick={() => onRemove(key)}>
          Without {key === 'words' ? `“${given.words}”` : nameOfFilter(filters, key)}
        </TextButton>
      ))}
      {set.length > 1 && (
        <Button look="solid" onClick={onClear}>
          Show all {noun[1]}
        </Button>
      )}
    </Empty>
  )
}
