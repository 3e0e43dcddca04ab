import { useState } from 'react'
import { BOOKMARK_NOTE_LENGTH } from '#contract/limits.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextArea } from '#ui/Field.tsx'
import { paperStyle } from './book-styles.ts'
import styles from './marks.module.css'
import type { Scheme } from './model.ts'

interface NoteSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  scheme: Scheme
  quote: string
  note: string
  onSave: (note: string) => void
}

/** The note of a highlight, below its words. */
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
