import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import type { ComponentProps, ReactNode } from 'react'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import styles from './books.module.css'
import {
  CHOICE_LABELS,
  cleared,
  lengthWords,
  toggled,
  type useFilterOptions,
  withLength,
} from './filter-options.ts'
import { AUDIO_LENGTHS, type BookFilter, CHOICES, PAGE_LENGTHS } from './filter.ts'
import type { BookKind } from './model.ts'

interface FilterGroupsProps {
  kind: BookKind
  filter: BookFilter
  options: ReturnType<typeof useFilterOptions>
  onChange: (filter: BookFilter) => void
}

export function FilterGroups({ kind, filter, options, onChange }: FilterGroupsProps) {
  const choices = CHOICES.filter((choice) => choice !== 'nationalities' || kind === 'audio_books')
  const [first, ...others] = choices.map((choice) => (
    <Group
      key={choice}
      label={CHOICE_LABELS[choice]}
      note={filter[choice].length > 0 ? `${filter[choice].length} chosen` : undefined}
      open={choice === 'styles' || filter[choice].length > 0}
    >
      {options[choice]?.map(({ id, label }) => (
        <Checkbox
          key={id}
          label={label}
          checked={filter[choice].includes(id)}
          onChange={() => onChange(toggled(filter, choice, id))}
        />
      )) ?? <Skeleton height={132} />}
    </Group>
  ))
  return (
    <div className={styles.groups}>
      {first}
      <Group label="Length" note={filter.length && lengthWords(filter.length, kind)} open>
        <Lengths kind={kind} filter={filter} onChange={onChange} />
      </Group>
      {others}
    </div>
  )
}

interface GroupProps {
  label: string
  note?: string | undefined | 0
  open: boolean
  children: ReactNode
}

function Group({ label, note, open, children }: GroupProps) {
  return (
    <details className={styles.group} open={open}>
      <summary>
        <h3>{label}</h3>
        {note && <span className={styles.note}>{note}</span>}
        <Icon of={CaretDownIcon} size={18} />
      </summary>
      <div className={styles.options}>{children}</div>
    </details>
  )
}

/** One choice; pressing it again clears it (LIST-09). */
function Lengths({ kind, filter, onChange }: Pick<FilterGroupsProps, 'kind' | 'filter' | 'onChange'>) {
  const audio = kind === 'audio_books'
  return (
    <div className={styles.lengths} role="group" aria-label="Length">
      {(audio ? AUDIO_LENGTHS : PAGE_LENGTHS).map((length) => (
        <button
          key={length}
          type="button"
          aria-pressed={filter.length === length}
          aria-label={`${shortWords(length, audio)}, ${lengthWords(length, kind)}`}
          className={audio && length === 9 ? styles.wide : undefined}
          onClick={() => onChange(withLength(filter, length))}
        >
          {shortWords(length, audio)}
        </button>
      ))}
    </div>
  )
}

const shortWords = (length: number, audio: boolean) =>
  audio ? (length === 9 ? '9 h or less' : `${length} h+`) : `${length}+`

interface FilterSheetProps extends ComponentProps<typeof FilterGroups> {
  total: number
  open: boolean
  onOpenChange: (open: boolean) => void
}

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
