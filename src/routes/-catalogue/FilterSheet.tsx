import type { ComponentProps } from 'react'
import { cleared } from '#features/catalogue/filter.ts'
import { FilterGroups } from '#features/catalogue/FilterGroups.tsx'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'

interface FilterSheetProps extends ComponentProps<typeof FilterGroups> {
  total: number
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The filters on a phone; the button at the end says how many titles they find. */
export function FilterSheet({ total, open, onOpenChange, ...groups }: FilterSheetProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Filters"
      side="bottom"
      footer={
        <>
          <Button look="text" onClick={() => groups.onChange(cleared(groups.filter))}>
            Clear all
          </Button>
          <Button look="beak" onClick={() => onOpenChange(false)}>
            Show {plural(total, 'result')}
          </Button>
        </>
      }
    >
      <FilterGroups {...groups} />
    </Sheet>
  )
}
