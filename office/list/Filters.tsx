import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { Button, TextButton } from '../ui/Button.tsx'
import { Field, RadioField } from '../ui/Field.tsx'
import { DAY_CHOICES, type Filter, filterWords } from './list-types.ts'
import { PopButton } from './PopButton.tsx'
import { useListSearch } from './use-list-search.ts'

/** A chip for each filter that is set: press to change it, the cross removes it. */
export function Filters({
  filters,
  placeholder,
}: {
  readonly filters: readonly Filter[]
  readonly placeholder: string
}) {
  const { search, set } = useListSearch()
  // A chip that was just added is open, and has no value yet.
  const [added, setAdded] = useState<string>()
  const shown = filters.filter(({ key }) => search[key] || key === added)
  const left = filters.filter((filter) => !shown.includes(filter))
  return (
    <>
      <Words placeholder={placeholder} />
      {shown.map((filter) => (
        <FilterChip
          key={filter.key}
          filter={filter}
          value={search[filter.key] ?? ''}
          startsOpen={filter.key === added}
          onSet={(value) => set({ [filter.key]: value })}
          onClose={() => setAdded(undefined)}
        />
      ))}
      {left.length > 0 && <AddFilter filters={left} onAdd={setAdded} />}
    </>
  )
}

const TYPING_MS = 250

function Words({ placeholder }: { readonly placeholder: string }) {
  const { search, set } = useListSearch()
  const given = search.words ?? ''
  const [typed, setTyped] = useState(given)
  const [before, setBefore] = useState(given)
  // Another view was chosen.
  if (given !== before) {
    setBefore(given)
    setTyped(given)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <label className="list-words">
      <Icon of={MagnifyingGlassIcon} size={16} />
      <input
        type="search"
        data-page-search
        aria-label={placeholder}
        placeholder={placeholder}
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => set({ words: value.trim() }), TYPING_MS)
        }}
      />
    </label>
  )
}

interface ChipProps {
  readonly filter: Filter
  readonly value: string
  readonly startsOpen: boolean
  readonly onSet: (value: string) => void
  readonly onClose: () => void
}

function FilterChip({ filter, value, startsOpen, onSet, onClose }: ChipProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  const change = (open: boolean) => {
    setOpen(open)
    if (!open) onClose()
  }
  const done = (next: string) => {
    onSet(next)
    change(false)
  }
  return (
    <span className={cx('chip', isOpen && 'open')}>
      <PopButton
        className="chip-value"
        title={filter.label}
        isOpen={isOpen}
        onOpenChange={change}
        label={
          <>
            <span>{filter.label}</span> {value ? filterWords(filter, value) : 'any'}
          </>
        }
      >
        <FilterEditor filter={filter} value={value} onDone={done} />
      </PopButton>
      <button
        type="button"
        className="chip-cross"
        aria-label={`Remove ${filter.label}`}
        onClick={() => done('')}
      >
        <Icon of={XIcon} size={13} />
      </button>
    </span>
  )
}

interface EditorProps {
  readonly filter: Filter
  readonly value: string
  readonly onDone: (value: string) => void
}

function FilterEditor({ filter, value, onDone }: EditorProps) {
  const [draft, setDraft] = useState(value)
  const isBetween = filter.kind === 'days' && (draft === 'between' || draft.includes('-'))
  const [from = '', to = ''] = draft.includes('..') ? draft.split('..') : []
  const problem = problemOf(filter, draft)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) onDone(draft)
      }}
    >
      {filter.kind === 'choice' || filter.kind === 'days' ? (
        <RadioField
          legend=""
          name={filter.key}
          value={isBetween ? 'between' : draft}
          onChange={(next) => setDraft(next === 'between' ? '-..' : next)}
          options={
            filter.kind === 'choice'
              ? filter.options
              : [...DAY_CHOICES, { value: 'between', label: 'between two days' }]
          }
        />
      ) : (
        <Field
          label={filter.kind === 'pounds' ? 'Pounds, at least' : filter.label}
          hint={filter.kind === 'text' ? filter.hint : undefined}
          inputMode={filter.kind === 'pounds' ? 'decimal' : undefined}
          value={draft}
          onChange={({ target }) => setDraft(target.value.trim())}
        />
      )}
      {isBetween && (
        <div className="fields">
          <Field
            label="From"
            type="date"
            value={from === '-' ? '' : from}
            onChange={({ target }) => setDraft(`${target.value || '-'}..${to}`)}
          />
          <Field
            label="To"
            type="date"
            value={to}
            onChange={({ target }) => setDraft(`${from}..${target.value}`)}
          />
        </div>
      )}
      <div className="spread">
        <TextButton onClick={() => onDone('')}>Remove filter</TextButton>
        <Button type="submit" look="solid" compact why={problem}>
          Show
        </Button>
      </div>
    </form>
  )
}

function problemOf(filter: Filter, draft: string): string | undefined {
  if (draft === '') return 'Choose something first.'
  if (filter.kind === 'pounds' && !/^\d{1,6}(\.\d{1,2})?$/.test(draft)) return 'Like 4 or 12.50.'
  if (filter.kind !== 'days' || !draft.includes('..')) return undefined
  const [from = '', to = ''] = draft.split('..')
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)
  if (!isDay(from) || !isDay(to)) return 'Choose both days.'
  return to < from ? 'The second day is before the first.' : undefined
}

function AddFilter({
  filters,
  onAdd,
}: {
  readonly filters: readonly Filter[]
  readonly onAdd: (key: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <PopButton
      className="chip add"
      title="Filter by"
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={
        <>
          <Icon of={PlusIcon} size={14} />
          Filter
        </>
      }
    >
      {filters.map(({ key, label }) => (
        <button
          key={key}
          type="button"
          className="pop-row"
          onClick={() => {
            setOpen(false)
            onAdd(key)
          }}
        >
          {label}
        </button>
      ))}
    </PopButton>
  )
}
