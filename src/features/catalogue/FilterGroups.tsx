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
  type ChangeFilter,
  CHOICE_LABELS,
  cleared,
  lengthWords,
  type Option,
  toggled,
  type useFilterOptions,
  withLength,
  withOrWithout,
} from './filter-options.ts'
import { AUDIO_LENGTHS, type BookFilter, type Choice, CHOICES, PAGE_LENGTHS } from './filter.ts'
import type { BookKind } from './model.ts'

interface FilterGroupsProps {
  kind: BookKind
  filter: BookFilter
  options: ReturnType<typeof useFilterOptions>
  /** Keeps its identity. */
  onChange: ChangeFilter
}

/** A press renders only its own group, because all of them together take a slow phone longer than a frame. */
export function FilterGroups({ kind, filter, options, onChange }: FilterGroupsProps) {
  const choices = CHOICES.filter((choice) => choice !== 'nationalities' || kind === 'audio_books')
  const [first, ...others] = choices.map((choice) => (
    <Choices
      key={choice}
      choice={choice}
      chosen={filter[choice]}
      options={options[choice]}
      onChange={onChange}
    />
  ))
  return (
    <div className={styles.groups}>
      {first}
      <Lengths kind={kind} filter={filter} onChange={onChange} />
      {others}
    </div>
  )
}

interface ChoicesProps {
  choice: Choice
  chosen: readonly number[]
  options: readonly Option[] | undefined
  onChange: ChangeFilter
}

function Choices({ choice, chosen, options, onChange }: ChoicesProps) {
  const [shown, show] = usePressed(chosen)
  const latest = useRef({ shown, show })
  useLayoutEffect(() => void (latest.current = { shown, show }))
  const press = useCallback(
    (id: number) => {
      latest.current.show(withOrWithout(latest.current.shown, id))
      onChange(toggled(choice, id))
    },
    [choice, onChange],
  )
  return (
    <Group
      label={CHOICE_LABELS[choice]}
      note={shown.length > 0 && `${shown.length} chosen`}
      open={choice === 'styles' || shown.length > 0}
    >
      {options?.map(({ id, label }) => (
        <OneChoice key={id} id={id} label={label} checked={shown.includes(id)} onPress={press} />
      )) ?? <Skeleton height={132} />}
    </Group>
  )
}

interface OneChoiceProps extends Option {
  checked: boolean
  onPress: (id: number) => void
}

const OneChoice = memo(function OneChoice({ id, label, checked, onPress }: OneChoiceProps) {
  return <Checkbox label={label} checked={checked} onChange={() => onPress(id)} />
})

interface GroupProps {
  label: string
  note: string | false | undefined
  open: boolean
  children: ReactNode
}

function Group({ label, note, open, children }: GroupProps) {
  return (
    <details className={styles.group} open={open}>
      <summary>
        <h3>{label}</h3>
        <span className={styles.note}>{note}</span>
        <Icon of={CaretDownIcon} size={18} />
      </summary>
      <div className={styles.options}>{children}</div>
    </details>
  )
}

/** One choice; pressing it again clears it (LIST-09). */
function Lengths({ kind, filter, onChange }: Pick<FilterGroupsProps, 'kind' | 'filter' | 'onChange'>) {
  const [shown, show] = usePressed(filter)
  const press = (length: number) => {
    show(withLength(length)(shown))
    onChange(withLength(length))
  }
  const audio = kind === 'audio_books'
  return (
    <Group label="Length" note={shown.length !== undefined && lengthWords(shown.length, kind)} open>
      <div className={styles.lengths} role="group" aria-label="Length">
        {(audio ? AUDIO_LENGTHS : PAGE_LENGTHS).map((length) => (
          <button
            key={length}
            type="button"
            aria-pressed={shown.length === length}
            aria-label={`${shortWords(length, audio)}, ${lengthWords(length, kind)}`}
            className={audio && length === 9 ? styles.wide : undefined}
            onClick={() => press(length)}
          >
            {shortWords(length, audio)}
          </button>
        ))}
      </div>
    </Group>
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
          <Button look="text" onClick={() => groups.onChange(cleared)}>
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
