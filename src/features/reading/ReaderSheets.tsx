import type { Highlight } from '#storage/places-db.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { paperStyle } from './book-styles.ts'
import {
  type ContentsEntry,
  type Scheme,
  FOUND_AT_MOST,
  type FoundWords,
  DIMS,
  stepSize,
  TYPE_SIZES,
  type Look,
} from './model.ts'
import styles from './reading.module.css'
import { useEffect, useRef, useState } from 'react'
import { plural } from '#format/plural.ts'
import { Field, TextArea } from '#ui/Field.tsx'
import type { Engine } from './engine.ts'
import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'

interface ContentsSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The book's paper, which the sheet uses too, since it renders outside the page. */
  scheme: Scheme
  contents: readonly ContentsEntry[]
  current: string | null
  onChoose: (href: string) => void
  highlights: readonly Highlight[]
  onSearch: () => void
}

export function ContentsSheet({
  open,
  onOpenChange,
  scheme,
  contents,
  current,
  onChoose,
  highlights,
  onSearch,
}: ContentsSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Contents">
      <Button look="quiet" className={styles.searchHere} onClick={onSearch}>
        Search in this book
      </Button>
      {contents.length === 0 && <p>This book has no table of contents.</p>}
      <ol role="list" className={styles.contents}>
        {contents.map(({ label, href, depth }, index) => (
          <li key={`${index} ${href}`}>
            <button
              type="button"
              className={styles.entry}
              data-depth={Math.min(depth, 2)}
              aria-current={href === current ? 'location' : undefined}
              onClick={() => onChoose(href)}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
      {highlights.length > 0 && (
        <section aria-labelledby="highlights" className={styles.highlights}>
          <h3 id="highlights" className={styles.highlightsTitle}>
            Highlights
          </h3>
          <ol role="list" className={styles.contents}>
            {highlights.map(({ id, locator, quote, note }) => (
              <li key={id}>
                <button type="button" className={styles.entry} onClick={() => onChoose(locator)}>
                  <span className={styles.words}>{quote}</span>
                  {note && <span className={styles.noted}>{note}</span>}
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Sheet>
  )
}

interface SearchSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  scheme: Scheme
  engine: Engine
  onChoose: (locator: string) => void
}

/** A single letter occurs in every line. */
const LEAST_LETTERS = 2
const AFTER_TYPING_MS = 250

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
      // Ignore sections that cannot be read.
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
  if (count >= FOUND_AT_MOST) return `Showing the first ${FOUND_AT_MOST}. Add a word.`
  if (busy) return count === 0 ? 'Looking' : `Looking, ${plural(count, 'place')} so far`
  return count === 0 ? 'Not in this book. Try one word.' : plural(count, 'place')
}

interface LookSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The book's paper, which the sheet uses too, since it renders outside the page. */
  scheme: Scheme
  look: Look
  onChange: (look: Look) => void
}

/** Reading settings. Each change shows at once, on a phone in the half of the page above the sheet. */
export function LookSheet({ open, onOpenChange, scheme, look, onChange }: LookSheetProps) {
  const { typeSize } = look
  const resize = (step: 1 | -1) => onChange({ ...look, typeSize: stepSize(typeSize, step) })
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Text and colours" low>
      <div className="stack gap-5">
        <div className={styles.size} role="group" aria-label="Text size">
          <IconButton
            label="Smaller text"
            icon={<Icon of={MinusIcon} />}
            disabled={typeSize <= TYPE_SIZES[0]}
            onClick={() => resize(-1)}
          />
          <output className={styles.sizeValue}>{typeSize} px</output>
          <IconButton
            label="Larger text"
            icon={<Icon of={PlusIcon} />}
            disabled={typeSize >= (TYPE_SIZES.at(-1) ?? typeSize)}
            onClick={() => resize(1)}
          />
        </div>
        <RadioGroup
          legend="Colours"
          value={look.colours}
          onChange={(colours) => onChange({ ...look, colours })}
          options={[
            { value: 'app', label: 'Match the app' },
            { value: 'light', label: 'Light' },
            { value: 'sepia', label: 'Sepia' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <RadioGroup
          legend="Typeface"
          value={look.typeface}
          onChange={(typeface) => onChange({ ...look, typeface })}
          options={[
            { value: 'book', label: 'The book’s own' },
            { value: 'newsreader', label: 'Newsreader' },
            { value: 'sans', label: 'Source Sans' },
            { value: 'wide', label: 'Wide letters' },
          ]}
        />
        <RadioGroup
          legend="Margins"
          value={look.margins}
          onChange={(margins) => onChange({ ...look, margins })}
          options={[
            { value: 'narrow', label: 'Narrow' },
            { value: 'usual', label: 'Usual' },
            { value: 'wide', label: 'Wide' },
          ]}
        />
        <RadioGroup
          legend="Line spacing"
          value={look.spacing}
          onChange={(spacing) => onChange({ ...look, spacing })}
          options={[
            { value: 'book', label: 'The book’s own' },
            { value: 'tight', label: 'Tight' },
            { value: 'open', label: 'Open' },
          ]}
        />
        <RadioGroup
          legend="Alignment"
          value={look.align}
          onChange={(align) => onChange({ ...look, align })}
          options={[
            { value: 'book', label: 'As in the book' },
            { value: 'left', label: 'Ragged' },
            { value: 'justify', label: 'Even' },
          ]}
        />
        <RadioGroup
          legend="Brightness"
          value={String(look.dim)}
          onChange={(dim) => onChange({ ...look, dim: DIMS.find((each) => String(each) === dim) ?? 0 })}
          options={[
            { value: '0', label: 'Full' },
            { value: '20', label: 'Dimmed' },
            { value: '40', label: 'Dimmer' },
          ]}
        />
        <RadioGroup
          legend="Pages"
          value={look.flow}
          onChange={(flow) => onChange({ ...look, flow })}
          options={[
            { value: 'paged', label: 'Turn' },
            { value: 'scrolled', label: 'Scroll' },
          ]}
        />
      </div>
    </Sheet>
  )
}

interface NoteSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  scheme: Scheme
  quote: string
  note: string
  onSave: (note: string) => void
}

export function NoteSheet({ open, onOpenChange, scheme, quote, note, onSave }: NoteSheetProps) {
  const [words, setWords] = useState(note)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Note">
      <form
        className="stack gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(words.trim())
        }}
      >
        <blockquote className={styles.quote}>{quote}</blockquote>
        <TextArea
          label="Note"
          value={words}
          rows={4}
          maxLength={BOOKMARK_NOTE_LENGTH}
          onChange={(event) => setWords(event.target.value)}
        />
        <Button type="submit">Save note</Button>
      </form>
    </Sheet>
  )
}
