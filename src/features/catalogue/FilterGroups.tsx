import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { type ComponentProps, memo, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { usePressed } from '#ui/next-paint.ts'
import styles from './books.module.css'
import {
  CHOICE_LABELS,
  cleared,
  lengthWords,
  type Option,
  toggled,
  type useFilterOptions,
  withLength,
} from './filter-options.ts'
import { AUDIO_LENGTHS, type BookFilter, type Choice, CHOICES, PAGE_LENGTHS } from './filter.ts'
import type { BookKind } from './model.ts'

interface FilterGroupsProps {
  kind: BookKind
  filter: BookFilter
  options: ReturnType<typeof useFilterOptions>
  onChange: (filter: BookFilter) => void
}

/** A press renders only what it changes: anything else takes a slow phone longer than a frame. */
export function FilterGroups({ kind, filter, options, onChange }: FilterGroupsProps) {
  const [shown, show] = usePressed(filter)
  const change = (wanted: BookFilter) => {
    show(wanted)
    onChange(wanted)
  }
  const latest = useRef({ shown, change })
  useLayoutEffect(() => void (latest.current = { shown, change }))
  const toggle = useCallback((choice: Choice, id: number) => {
    const now = latest.current
    now.change(toggled(now.shown, choice, id))
  }, [])
  const choices = CHOICES.filter((choice) => choice !== 'nationalities' || kind === 'audio_books')
  const [first, ...others] = choices.map((choice) => (
    <Choices
      key={choice}
      choice={choice}
      chosen={shown[choice]}
      options={options[choice]}
      onToggle={toggle}
    />
  ))
  return (
    <div className={styles.groups}>
      {first}
      <Group label="Length" note={shown.length && lengthWords(shown.length, kind)} open>
        <Lengths kind={kind} filter={shown} onChange={change} />
      </Group>
      {others}
    </div>
  )
}

interface ChoicesProps {
  choice: Choice
  chosen: readonly number[]
  options: readonly Option[] | undefined
  onToggle: (choice: Choice, id: number) => void
}

const Choices = memo(function Choices({ choice, chosen, options, onToggle }: ChoicesProps) {
  return (
    <Group
      label={CHOICE_LABELS[choice]}
      note={chosen.length > 0 ? `${chosen.length} chosen` : undefined}
      open={choice === 'styles' || chosen.length > 0}
    >
      {options?.map(({ id, label }) => (
        <OneChoice
          key={id}
          choice={choice}
          id={id}
          label={label}
          checked={chosen.includes(id)}
          onToggle={onToggle}
        />
      )) ?? <Skeleton height={132} />}
    </Group>
  )
})

interface OneChoiceProps extends Option, Pick<ChoicesProps, 'choice' | 'onToggle'> {
  checked: boolean
}

const OneChoice = memo(function OneChoice({ choice, id, label, checked, onToggle }: OneChoiceProps) {
  return <Checkbox label={label} checked={checked} onChange={() => onToggle(choice, id)} />
})

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
