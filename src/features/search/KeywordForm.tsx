import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { type ComponentProps, type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { SETTLED_AFTER_MS } from './model.ts'
import styles from './search.module.css'

interface KeywordFormProps {
  label: string
  /** Instead of the label. */
  placeholder?: string
  keyword: string
  onSearch: (keyword: string) => void
}

/** Searches when typing pauses, and at once on Enter. Follows the address if another link changes it. */
export function KeywordForm({ label, placeholder = label, keyword, onSearch }: KeywordFormProps) {
  const [typed, setTyped] = useState(keyword)
  const known = useRef(keyword)
  const settled = useDebounced(typed)
  const search = (next: string) => {
    if (next === known.current) return
    known.current = next
    onSearch(next)
  }

  useEffect(() => {
    if (keyword === known.current) return
    known.current = keyword
    setTyped(keyword)
  }, [keyword])
  // Only typed text: a value from the address is known already.
  useEffect(() => {
    if (settled === typed) search(typed)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each keystroke waits for its own rest
  }, [settled])

  return (
    <form
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        search(typed)
      }}
    >
      <SearchField
        label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  )
}

interface SearchFieldProps extends ComponentProps<'input'> {
  label: string
  ref?: Ref<HTMLInputElement>
}

export function SearchField({ label, ...input }: SearchFieldProps) {
  return (
    <label className={styles.field}>
      <Icon of={MagnifyingGlassIcon} size={24} />
      <input
        placeholder={label}
        {...input}
        type="search"
        aria-label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={200}
        className={styles.input}
      />
    </label>
  )
}

/** The value after 400 ms without a change (SEARCH-02). */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
