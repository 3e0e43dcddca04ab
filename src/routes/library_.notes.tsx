import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { MembersOnly } from '#routes/-account/MembersOnly.tsx'
import { DownloadSimpleIcon } from '@phosphor-icons/react/dist/csr/DownloadSimple'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { BookmarkNote } from '#features/listening/SavedNotes.tsx'
import { saveFile } from '#ui/save-file.ts'
import { type ExportFormat, exportNotes } from '#features/notes/export.ts'
import {
  type BookNotes,
  findNotes,
  type KeptNote,
  quoteOf,
  type KeptBookmark,
} from '#features/notes/model.ts'
import { removeNote, writeNote, useNotes } from '#features/notes/use-notes.ts'
import { thePlayer } from '#features/player/lazy.ts'
import { unlockSound } from '#features/player/sound-element.ts'
import { plural } from '#format/plural.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Field, SelectField, TextArea } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '#features/notes/notes.module.css'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { StopIcon } from '@phosphor-icons/react/dist/csr/Stop'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'
import { longDate } from '#format/date.ts'
import { previewPlace } from '#features/player/preview.ts'

// The router parses a search of digits only as a number.
const text = (value: unknown) =>
  typeof value === 'string' ? value || undefined : typeof value === 'number' ? String(value) : undefined

export const Route = createFileRoute('/library_/notes')({
  staticData: { frame: 'own' },
  validateSearch: (search: NotesSearch) => search,
  component: () => {
    const { keyword, book } = Route.useSearch()
    return (
      <MembersOnly evenEnded>
        <NotesScreen keyword={text(keyword)} book={text(book)} />
      </MembersOnly>
    )
  },
})

export interface NotesSearch {
  /** Words to look for. */
  keyword?: string | undefined
  /** One book alone, by its key. */
  book?: string | undefined
}

/** Every bookmark and every highlight, of all books; from this device, so in the tunnel too. */
function NotesScreen({ keyword = '', book = '' }: NotesSearch) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const all = useNotes(owner)
  const navigate = useNavigate()
  const search = (next: NotesSearch) =>
    void navigate({
      to: '/library/notes',
      search: { keyword: next.keyword || undefined, book: next.book || undefined },
      replace: true,
      resetScroll: false,
    })
  const found = findNotes(all ?? [], { words: keyword, book })
  const count = found.reduce((sum, { notes }) => sum + notes.length, 0)
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Bookmarks and notes" hidden />
      <Link to="/library" className="text-link">
        Library
      </Link>
      <Display as="h1" size="lg">
        Bookmarks and notes
      </Display>
      <p className={styles.waits}>
        <BookmarkNote />
      </p>
      {!all ? (
        <Skeleton height={320} />
      ) : all.length === 0 ? (
        <Empty
          title="Nothing marked yet."
          help="Press Bookmark while you listen, or choose some words while you read."
        />
      ) : (
        <>
          <search className={styles.search}>
            <Field
              label="Search"
              type="search"
              value={keyword}
              trailing={<Icon of={MagnifyingGlassIcon} />}
              onChange={({ target }) => search({ keyword: target.value, book })}
            />
            <SelectField
              label="Book"
              value={book}
              onChange={({ target }) => search({ keyword, book: target.value })}
            >
              <option value="">All books</option>
              {all.map(({ key, title, kind }) => (
                <option key={key} value={key}>
                  {kind === 'highlight' ? `${title}, e-book` : title}
                </option>
              ))}
            </SelectField>
          </search>
          <div className={styles.head}>
            <p role="status" className="quiet">
              {count === 0 ? 'Nothing has these words. Try one word.' : plural(count, 'note')}
            </p>
            {count > 0 && <ExportMenu books={found} label="Export these" wide />}
          </div>
          {found.map((each) => (
            <NotesOfBook key={each.key} book={each} owner={owner} />
          ))}
        </>
      )}
    </Wrap>
  )
}

function NotesOfBook({ book, owner }: { book: BookNotes; owner: string }) {
  const preview = usePreview()
  return (
    <section aria-labelledby={book.key} className={styles.book}>
      <div className={styles.bookHead}>
        <div>
          <Display as="h2" size="sm" id={book.key}>
            {book.title}
          </Display>
          {book.authors && <p className="quiet">{book.authors}</p>}
        </div>
        <ExportMenu books={[book]} label={`Export notes of ${book.title}`} />
      </div>
      <ul role="list">
        {book.notes.map((kept) => (
          <NoteRow
            key={kept.id}
            kept={kept}
            place={<PlaceOf kept={kept} />}
            preview={
              kept.kind === 'bookmark'
                ? { isHeard: preview.heard === kept.id, toggle: () => preview.toggle(kept) }
                : undefined
            }
            onWrite={(note) => void writeNote(owner, kept, note)}
            onRemove={() => void removeNote(owner, kept)}
          />
        ))}
      </ul>
    </section>
  )
}

function PlaceOf({ kept }: { kept: KeptNote }) {
  const navigate = useNavigate()
  const { slug } = kept
  if (kept.kind === 'highlight')
    return (
      <Link to="/read/$slug" params={{ slug }} search={{ at: kept.mark.locator }} className="text-link">
        {kept.where}
      </Link>
    )
  const listen = () => {
    unlockSound()
    void navigate({ to: '/player/$slug', params: { slug } })
    void thePlayer().then((player) => player.open({ slug, kind: 'book' }, { play: true, at: kept.mark }))
  }
  return (
    <button type="button" className="text-link" onClick={listen}>
      {kept.where}
    </button>
  )
}

function ExportMenu({ books, label, wide }: { books: readonly BookNotes[]; label: string; wide?: boolean }) {
  const save = (format: ExportFormat) => () => {
    const { name, type, content } = exportNotes(books, format)
    saveFile(new Blob([content], { type }), name)
  }
  return (
    <Menu
      label={label}
      trigger={
        wide ? (
          <Button look="text">Export</Button>
        ) : (
          <IconButton label={label} icon={<Icon of={DownloadSimpleIcon} size={22} />} />
        )
      }
      entries={[
        { key: 'markdown', label: 'Markdown, to read', onSelect: save('markdown') },
        { key: 'json', label: 'JSON, for programs', onSelect: save('json') },
      ]}
    />
  )
}

interface NoteRowProps {
  kept: KeptNote
  /** A link or a button that leads to the note's position. */
  place: ReactNode
  /** A few seconds of the sound; undefined for an e-book. */
  preview: { readonly isHeard: boolean; readonly toggle: () => void } | undefined
  onWrite: (note: string) => void
  onRemove: () => void
}

function NoteRow({ kept, place, preview, onWrite, onRemove }: NoteRowProps) {
  const [writing, setWriting] = useState(false)
  const quote = quoteOf(kept)
  return (
    <li className={styles.note}>
      <div className={styles.words}>
        {place}
        {quote && <blockquote className={styles.quote}>{quote}</blockquote>}
        {writing ? (
          <NoteForm
            note={kept.note}
            onDone={(note) => {
              setWriting(false)
              if (note !== undefined) onWrite(note)
            }}
          />
        ) : (
          kept.note && <p className={styles.said}>{kept.note}</p>
        )}
        <p className={styles.day}>{longDate(new Date(kept.madeAtMs).toISOString())}</p>
      </div>
      <div className={styles.tools}>
        {preview && (
          <IconButton
            label={`${preview.isHeard ? 'Stop' : 'Hear'} ${kept.where}`}
            icon={<Icon of={preview.isHeard ? StopIcon : PlayIcon} size={22} />}
            onClick={preview.toggle}
          />
        )}
        <IconButton
          label={`Note at ${kept.where}`}
          icon={<Icon of={NotePencilIcon} size={22} />}
          onClick={() => setWriting(true)}
        />
        <IconButton
          label={`Remove ${kept.where}`}
          icon={<Icon of={TrashIcon} size={22} />}
          onClick={onRemove}
        />
      </div>
    </li>
  )
}

/** `onDone` without a note: nothing changes. */
function NoteForm({ note, onDone }: { note: string; onDone: (note?: string) => void }) {
  const [words, setWords] = useState(note)
  const form = useRef<HTMLFormElement>(null)
  // The form replaces the focused button, so move the focus into it.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onDone(words.trim())
      }}
    >
      <TextArea
        label="Note"
        value={words}
        rows={3}
        maxLength={BOOKMARK_NOTE_LENGTH}
        onChange={(event) => setWords(event.target.value)}
      />
      <div className="row gap-2">
        <Button type="submit">Save note</Button>
        <Button look="quiet" onClick={() => onDone()}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Listeners bookmark at the end of a sentence, or at its beginning: play both. */
const AFTER_SECONDS = 10

/**
 * Plays a few seconds around a bookmark on a separate audio element, so the book's position does not move.
 */
function usePreview(): { heard: string | undefined; toggle: (kept: KeptBookmark) => void } {
  const [heard, setHeard] = useState<string>()
  const stop = useRef<() => void>(undefined)
  // Stop with the list: afterwards there would be no button to stop it.
  useEffect(() => () => stop.current?.(), [])
  const begin = async ({ id, slug, mark }: KeptBookmark) => {
    // Must be created within the click itself.
    const audio = new Audio()
    const onEnd = () => setHeard((now) => (now === id ? undefined : now))
    stop.current = previewPlace(
      await thePlayer(),
      { slug, place: mark, onEnd, afterSeconds: AFTER_SECONDS },
      audio,
    )
    setHeard(id)
  }
  return {
    heard,
    toggle(kept) {
      if (heard === kept.id) stop.current?.()
      else void begin(kept)
    },
  }
}
