import {
  type ColumnDef,
  columnVisibilityFeature,
  type RowData,
  rowSelectionFeature,
  type RowSelectionState,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { Column } from './list-types.ts'
import { useListSearch } from './use-list-search.ts'

const FEATURES = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature })

interface ListTableOptions<Row extends RowData> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  /** The server's key of the order, with a minus in front if it descends. */
  readonly sort: string
}

/** The table of a list: order and columns are in the address, so only the selection is state. The server sorts. */
export function useListTable<Row extends RowData>({ columns, rows, idOf, sort }: ListTableOptions<Row>) {
  const { search, set } = useListSearch()
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({})
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  const key = sort.replace(/^-/, '')
  const sorted = columns.find((column) => column.sort === key)
  const sorting = sorted ? [{ id: sorted.key, desc: sort.startsWith('-') }] : []
  const columnVisibility = visibilityOf(columns, search.columns)
  return useTable({
    features: FEATURES,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    sortDescFirst: true,
    state: { rowSelection, columnVisibility, sorting },
    onRowSelectionChange: setRowSelection,
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change
      const column = columns.find((each) => each.key === next?.id)
      if (next && column?.sort) set({ sort: `${next.desc ? '-' : ''}${column.sort}` })
    },
    onColumnVisibilityChange: (change) => {
      const next = typeof change === 'function' ? change(columnVisibility) : change
      set({ columns: columns.flatMap((column) => (next[column.key] ? [column.key] : [])).join(',') })
    },
  })
}
export type ListTable<Row extends RowData> = ReturnType<typeof useListTable<Row>>

const definitionOf = <Row extends RowData>(
  { key, head, sort, cell }: Column<Row>,
  index: number,
): ColumnDef<typeof FEATURES, Row> => ({
  id: key,
  header: head,
  accessorFn: cell,
  // The first column is the row's link.
  enableHiding: index > 0,
  enableSorting: sort !== undefined,
})

function visibilityOf(columns: readonly Column<never>[], chosen: string | undefined) {
  const keys = chosen?.split(',')
  return Object.fromEntries(
    columns.map(({ key, isExtra }, index) => [key, index === 0 || (keys ? keys.includes(key) : !isExtra)]),
  )
}
