import type { RowData } from '@tanstack/react-table'
import { ColumnsIcon } from '@phosphor-icons/react/dist/csr/Columns'
import { useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { buttonClass, TextButton } from '../ui/Button.tsx'
import { PopButton } from './PopButton.tsx'
import { useListSearch } from './use-list-search.ts'
import type { ListTable } from './use-list-table.ts'

export function Columns<Row extends RowData>({ table }: { readonly table: ListTable<Row> }) {
  const { set } = useListSearch()
  const [isOpen, setOpen] = useState(false)
  return (
    <PopButton
      className={`${buttonClass({ compact: true })} wide-only`}
      title="Columns"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={
        <>
          <Icon of={ColumnsIcon} size={17} />
          Columns
        </>
      }
    >
      {table
        .getAllLeafColumns()
        .filter((column) => column.getCanHide())
        .map((column) => (
          <label key={column.id} className="choice">
            <input
              type="checkbox"
              className="checkbox"
              checked={column.getIsVisible()}
              onChange={({ target }) => column.toggleVisibility(target.checked)}
            />
            {String(column.columnDef.header)}
          </label>
        ))}
      <TextButton onClick={() => set({ columns: '' })}>Reset</TextButton>
    </PopButton>
  )
}
