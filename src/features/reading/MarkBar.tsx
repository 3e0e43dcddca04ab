import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { HighlighterIcon } from '@phosphor-icons/react/dist/csr/Highlighter'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { ShareNetworkIcon } from '@phosphor-icons/react/dist/csr/ShareNetwork'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { toast } from '#ui/toast.ts'
import styles from './marks.module.css'

interface MarkBarProps {
  /** Words that are chosen, or a highlight that was pressed and its note. */
  marked: boolean
  note: string
  /** The words themselves, to copy or to share. */
  quote: string
  onHighlight: () => void
  onNote: () => void
  onRemove: () => void
  onClose: () => void
}

/** What can be done with chosen words, or with a highlight: above the foot of the page, where it hides no choice. */
export function MarkBar({ marked, note, quote, onHighlight, onNote, onRemove, onClose }: MarkBarProps) {
  return (
    <div role="group" aria-label={marked ? 'Highlight' : 'Chosen words'} className={styles.bar}>
      {note && <p className={styles.note}>{note}</p>}
      <div className={styles.actions}>
        {!marked && (
          <Button look="quiet" onClick={onHighlight}>
            <Icon of={HighlighterIcon} size={20} /> Highlight
          </Button>
        )}
        <Button look="quiet" onClick={onNote}>
          <Icon of={NotePencilIcon} size={20} /> {note ? 'Change note' : 'Note'}
        </Button>
        {marked && <IconButton label="Remove highlight" icon={<Icon of={TrashIcon} />} onClick={onRemove} />}
        <IconButton label="Copy" icon={<Icon of={CopyIcon} />} onClick={() => void copy(quote)} />
        {'share' in navigator && (
          <IconButton
            label="Share"
            icon={<Icon of={ShareNetworkIcon} />}
            // Rejects when the reader cancels.
            onClick={() => void navigator.share({ text: quote }).catch(() => undefined)}
          />
        )}
        <IconButton label="Close" icon={<Icon of={XIcon} />} onClick={onClose} />
      </div>
    </div>
  )
}

const copy = (quote: string) =>
  navigator.clipboard.writeText(quote).then(
    () => toast('Copied.'),
    () => toast('Your browser wouldn’t copy that.'),
  )
