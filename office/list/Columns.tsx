import { ColumnsIcon } from '@phosphor-icons/react/dist/csr/Columns'
import { useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { buttonClass, TextButton } from '../ui/Button.tsx'
import type { Column, ListSearch } from './list-types.ts'
import { PopButton } from './PopButton.tsx'
import { useListSearch } from './use-list-search.ts'

/** The first column is the row's link, so it always stays. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  { columns: chosen }: ListSearch,
): Column<Row>[] {
  const keys = chosen?.split(',')
  return columns.filter(({ key, isExtra }, index) => index === 0 || (keys ? keys.includes(key) : !isExtra))
}

export function Columns<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  const { search, set } = useListSearch()
  const [isOpen, setOpen] = useState(false)
  const shown = shownColumns(columns, search).map(({ key }) => key)
  const toggle = (key: string, isShown: boolean) =>
    set({
      columns: columns
        .flatMap((column) =>
          (column.key === key ? isShown : shown.includes(column.key)) ? [column.key] : [],
        )
        .join(','),
    })
  return (
    <PopButton
      className={`${buttonClass({})} wide-only`}
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
      {columns.slice(1).map(({ key, head }) => (
        <label key={key} className="choice">
          <input
            type="checkbox"
            className="checkbox"
            checked={shown.includes(key)}
            onChange={({ target }) => toggle(key, target.checked)}
          />
          {head}
        </label>
      ))}
      <TextButton onClick={() => set({ columns: '' })}>Reset</TextButton>
    </PopButton>
  )
}
