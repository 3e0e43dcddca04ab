import { useEffect, useRef, useState } from 'react'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'
import { longDate } from '#format/date.ts'
import { Button } from '#ui/Button.tsx'
import { TextArea } from '#ui/Field.tsx'
import styles from './sheets.module.css'
import type { Bookmark, EarlierNote } from './ports.ts'
import { usePlayer } from './store.ts'

/** The note of a bookmark, and what stood in it before. */
export function NoteForm({ mark, onDone }: { mark: Bookmark; onDone: () => void }) {
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const [note, setNote] = useState(mark.note)
  const form = useRef<HTMLFormElement>(null)
  const write = () => form.current?.querySelector('textarea')?.focus()
  // It appears where its button was pressed.
  useEffect(write, [])
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        bookmarks?.setNote(mark.id, note.trim())
        onDone()
      }}
    >
      <TextArea
        label="Note"
        value={note}
        maxLength={BOOKMARK_NOTE_LENGTH}
        rows={3}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" tone="title">
        Save note
      </Button>
      <EarlierVersions
        id={mark.id}
        onUse={(earlier) => {
          setNote(earlier)
          write()
        }}
      />
    </form>
  )
}

/** Asked for when somebody wants them: two devices may have written, and the newer note holds. */
function EarlierVersions({ id, onUse }: { id: string; onUse: (note: string) => void }) {
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const [notes, setNotes] = useState<readonly EarlierNote[]>()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      const written = ((await bookmarks?.earlierNotes(id)) ?? []).filter(({ note }) => note !== '')
      setNotes(written)
      setSaid(written.length === 0 ? 'There are no earlier versions of this note.' : '')
    } catch {
      setSaid('Earlier versions need a connection.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {!notes && (
        <Button look="text" tone="title" busy={busy} onClick={() => void ask()}>
          Earlier versions
        </Button>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
      {notes && notes.length > 0 && (
        <ul role="list" className={styles.earlier} aria-label="Earlier versions">
          {notes.map(({ note, changedAt }) => (
            <li key={`${changedAt} ${note}`}>
              <p className={styles.note}>{note}</p>
              <p className={styles.said}>{longDate(changedAt)}</p>
              <Button look="quiet" tone="title" onClick={() => onUse(note)}>
                Use this one
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
