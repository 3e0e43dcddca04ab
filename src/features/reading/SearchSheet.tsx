import { useEffect, useRef, useState } from 'react'
import { plural } from '#format/plural.ts'
import { Field } from '#ui/Field.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { paperStyle } from './book-styles.ts'
import type { Engine } from './engine.ts'
import styles from './marks.module.css'
import { FOUND_AT_MOST, type FoundWords, type Scheme } from './model.ts'

interface SearchSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  scheme: Scheme
  engine: Engine
  onChoose: (locator: string) => void
}

/** Fewer letters are in every line. */
const LEAST_LETTERS = 2
const AFTER_TYPING_MS = 250

/** Looks for words in the whole book while they are typed. */
export function SearchSheet({ open, onOpenChange, scheme, engine, onChoose }: SearchSheetProps) {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<readonly FoundWords[]>([])
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const words = query.trim()

  useEffect(() => {
    const leaving = new AbortController()
    const look = async () => {
      setFound([])
      if (words.length < LEAST_LETTERS) return
      setBusy(true)
      // A section that cannot be read has nothing to be found in.
      await engine.find(words, setFound, leaving.signal).catch(() => undefined)
      if (!leaving.signal.aborted) setBusy(false)
    }
    const timer = setTimeout(() => void look(), AFTER_TYPING_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
      setBusy(false)
    }
  }, [engine, words])

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      style={paperStyle(scheme)}
      title="Search in this book"
      initialFocus={field}
    >
      <div className="stack gap-3">
        <Field
          ref={field}
          label="Words"
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <p role="status" className="quiet">
          {foundWords(words.length >= LEAST_LETTERS, busy, found.length)}
        </p>
        <ol role="list" className={styles.found}>
          {found.map(({ locator, chapter, before, words: hit, after }) => (
            <li key={locator}>
              <button type="button" className={styles.hit} onClick={() => onChoose(locator)}>
                {chapter && <span className={styles.where}>{chapter}</span>}
                <span>
                  {before}
                  <mark>{hit}</mark>
                  {after}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </Sheet>
  )
}

function foundWords(asked: boolean, busy: boolean, count: number): string {
  if (!asked) return ''
  if (count >= FOUND_AT_MOST) return `The first ${FOUND_AT_MOST} places. One more word finds fewer.`
  if (busy) return count === 0 ? 'Looking' : `Looking, ${plural(count, 'place')} so far`
  return count === 0 ? 'Not in this book. Try one word.' : plural(count, 'place')
}
