import { useEffect, useRef, useState } from 'react'
import { SearchField } from './SearchField.tsx'
import { useDebounced } from './use-debounced.ts'

interface KeywordFormProps {
  label: string
  /** The keyword in the address. */
  keyword: string
  onSearch: (keyword: string) => void
}

/** Searches when somebody stops typing, and at once on Enter; follows the address where another link changed it. */
export function KeywordForm({ label, keyword, onSearch }: KeywordFormProps) {
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
  // Only what somebody typed and left: a value that the address brought is known already.
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
      <SearchField label={label} value={typed} onChange={(event) => setTyped(event.target.value)} />
    </form>
  )
}
