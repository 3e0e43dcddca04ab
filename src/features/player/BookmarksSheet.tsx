import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { useState, type ReactNode } from 'react'
import { clock, spokenClock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { toast } from '#ui/toast.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './BookmarksSheet.module.css'
import { chapterAt } from './model.ts'
import { NoteForm } from './NoteForm.tsx'
import type { Bookmark } from './ports.ts'
import { sheetStyle, type SheetPartProps } from './sheet-style.ts'
import { usePlayer } from './store.ts'
import { useBookmarks, useTitleTheme } from './use-player.ts'

export interface BookmarksSheetProps extends SheetPartProps {
  /** The bookmark whose note is to be written at once. */
  noteFor?: string | undefined
  /** One line above them: that something waits. */
  note?: ReactNode
}

export function BookmarksSheet({ open, onOpenChange, noteFor, note }: BookmarksSheetProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const marks = useBookmarks()
  const [writing, setWriting] = useState(noteFor)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Bookmarks" tone="title" style={sheetStyle(theme)}>
      <div className={styles.waiting}>{note}</div>
      {marks.length === 0 && (
        <p className={styles.none}>Nothing marked yet. Press Bookmark at a sentence worth keeping.</p>
      )}
      <ul className={styles.list}>
        {marks.map((mark) => (
          <li key={mark.id} className={styles.mark}>
            <MarkRow mark={mark} onGo={() => onOpenChange(false)} onWrite={() => setWriting(mark.id)} />
            {writing === mark.id && <NoteForm mark={mark} onDone={() => setWriting(undefined)} />}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function MarkRow({ mark, onGo, onWrite }: { mark: Bookmark; onGo: () => void; onWrite: () => void }) {
  const chapters = usePlayer((store) => store.state.title?.chapters ?? [])
  const controls = usePlayer((store) => store.controls)
  const bookmarks = usePlayer((store) => store.player?.bookmarks)
  const chapter = chapterAt(chapters, mark.chapter)
  const where = `${chapter?.title ?? `Chapter ${mark.chapter}`}, ${clock(mark.seconds)}`
  const remove = () => {
    bookmarks?.remove(mark.id)
    toast('Bookmark removed.', { action: { label: 'Undo', onPress: () => bookmarks?.restore(mark) } })
  }
  return (
    <div className={styles.row}>
      <button
        type="button"
        className={styles.place}
        onClick={() => {
          controls?.goTo(mark)
          onGo()
        }}
      >
        <span className={styles.chapter}>{chapter?.title ?? `Chapter ${mark.chapter}`}</span>
        <span className={styles.soft} aria-hidden="true">
          {clock(mark.seconds)}
        </span>
        <VisuallyHidden>{spokenClock(mark.seconds)}</VisuallyHidden>
        {mark.note && <span className={styles.note}>{mark.note}</span>}
      </button>
      <IconButton
        label={`Note at ${where}`}
        icon={<Icon of={NotePencilIcon} size={22} />}
        onClick={onWrite}
      />
      <IconButton label={`Remove ${where}`} icon={<Icon of={TrashIcon} size={22} />} onClick={remove} />
    </div>
  )
}
