import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { StopIcon } from '@phosphor-icons/react/dist/csr/Stop'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'
import { longDate } from '#format/date.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { TextArea } from '#ui/Field.tsx'
import { quoteOf, type KeptNote, type KeptBookmark } from './model.ts'
import styles from './notes.module.css'
import { thePlayer } from '#features/player/lazy.ts'
import { previewPlace } from '#features/player/preview.ts'

interface NoteRowProps {
  kept: KeptNote
  /** A link or a button that leads to the note's position. */
  place: ReactNode
  /** A few seconds of the sound; undefined for an e-book. */
  preview: { readonly isHeard: boolean; readonly toggle: () => void } | undefined
  onWrite: (note: string) => void
  onRemove: () => void
}

export function NoteRow({ kept, place, preview, onWrite, onRemove }: NoteRowProps) {
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
export function NoteForm({ note, onDone }: { note: string; onDone: (note?: string) => void }) {
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
export function usePreview(): { heard: string | undefined; toggle: (kept: KeptBookmark) => void } {
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
