import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { type ComponentProps, memo, type ReactNode, useCallback } from 'react'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { type Presses, useShown } from '#ui/next-paint.ts'
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
  presses: Presses<BookFilter>
}

/** A press renders only its own group, because all of them together take a slow phone longer than a frame. */
export function FilterGroups({ kind, filter, options, presses }: FilterGroupsProps) {
  const shown = useShown(filter, presses)
  const choices = CHOICES.filter((choice) => choice !== 'nationalities' || kind === 'audio_books')
  const [first, ...others] = choices.map((choice) => (
    <Choices
      key={choice}
      choice={choice}
      chosen={shown[choice]}
      options={options[choice]}
      press={presses.press}
    />
  ))
  return (
    <div className={styles.groups}>
      {first}
      <Lengths kind={kind} length={shown.length} press={presses.press} />
      {others}
    </div>
  )
}

interface ChoicesProps {
  choice: Choice
  chosen: readonly number[]
  options: readonly Option[] | undefined
  press: Presses<BookFilter>['press']
}

const Choices = memo(function Choices({ choice, chosen, options, press }: ChoicesProps) {
  const toggle = useCallback((id: number) => press(toggled(choice, id)), [choice, press])
  return (
    <Group
      label={CHOICE_LABELS[choice]}
      note={chosen.length > 0 && `${chosen.length} chosen`}
      open={choice === 'styles' || chosen.length > 0}
    >
      {options?.map(({ id, label }) => (
        <OneChoice key={id} id={id} label={label} checked={chosen.includes(id)} onPress={toggle} />
      )) ?? <Skeleton height={132} />}
    </Group>
  )
})

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

interface LengthsProps {
  kind: BookKind
  length: number | undefined
  press: Presses<BookFilter>['press']
}

/** One choice; pressing it again clears it (LIST-09). */
const Lengths = memo(function Lengths({ kind, length: chosen, press }: LengthsProps) {
  const audio = kind === 'audio_books'
  return (
    <Group label="Length" note={chosen !== undefined && lengthWords(chosen, kind)} open>
      <div className={styles.lengths} role="group" aria-label="Length">
        {(audio ? AUDIO_LENGTHS : PAGE_LENGTHS).map((length) => (
          <button
            key={length}
            type="button"
            aria-pressed={chosen === length}
            aria-label={`${shortWords(length, audio)}, ${lengthWords(length, kind)}`}
            className={audio && length === 9 ? styles.wide : undefined}
            onClick={() => press(withLength(length))}
          >
            {shortWords(length, audio)}
          </button>
        ))}
      </div>
    </Group>
  )
})

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
          <Button look="text" onClick={() => groups.presses.press(cleared)}>
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
