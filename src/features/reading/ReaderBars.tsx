import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { HeadphonesIcon } from '@phosphor-icons/react/dist/csr/Headphones'
import { ListBulletsIcon } from '@phosphor-icons/react/dist/csr/ListBullets'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { TextAaIcon } from '@phosphor-icons/react/dist/csr/TextAa'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Slider } from '#ui/Slider.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { leftWords, spotWords, type ReadingPosition } from './model.ts'
import styles from './reading.module.css'
import { CopyIcon } from '@phosphor-icons/react/dist/csr/Copy'
import { HighlighterIcon } from '@phosphor-icons/react/dist/csr/Highlighter'
import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { ShareNetworkIcon } from '@phosphor-icons/react/dist/csr/ShareNetwork'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'

interface TopBarProps {
  title: string
  chapter: string
  /** Hidden while reading; focus shows it again. */
  withdrawn: boolean
  ready: boolean
  onClose: () => void
  onContents: () => void
  onSearch: () => void
  onLook: () => void
  /** Undefined if the book can't be heard from here, or is heard already. */
  onListen: (() => void) | undefined
}

export function TopBar({
  title,
  chapter,
  withdrawn,
  ready,
  onClose,
  onContents,
  onSearch,
  onLook,
  onListen,
}: TopBarProps) {
  return (
    <header className={styles.top} data-withdrawn={withdrawn}>
      <div role="group" aria-label="Reading tools" className={styles.tools}>
        <IconButton label="Close the book" icon={<Icon of={XIcon} />} onClick={onClose} />
        <div className={styles.names}>
          <h1 className={styles.title}>{title}</h1>
          {chapter && <p className={styles.chapter}>{chapter}</p>}
        </div>
        {onListen && (
          <IconButton label="Listen from here" icon={<Icon of={HeadphonesIcon} />} onClick={onListen} />
        )}
        <IconButton
          label="Contents"
          icon={<Icon of={ListBulletsIcon} />}
          disabled={!ready}
          onClick={onContents}
        />
        <IconButton
          label="Search in this book"
          icon={<Icon of={MagnifyingGlassIcon} />}
          disabled={!ready}
          className={styles.search}
          onClick={onSearch}
        />
        <IconButton
          label="Text and colours"
          icon={<Icon of={TextAaIcon} />}
          disabled={!ready}
          onClick={onLook}
        />
      </div>
    </header>
  )
}

interface FootBarProps {
  title: string
  spot: ReadingPosition
  onPrevious: () => void
  onNext: () => void
  /** @param share of the book, from 0 to 1 */
  onGoTo: (share: number) => void
}

export function FootBar({ title, spot, onPrevious, onNext, onGoTo }: FootBarProps) {
  const [drag, setDrag] = useState<number>()
  const [goes, setGoes] = useState(false)
  return (
    <footer className={styles.foot}>
      {goes ? (
        <Slider
          label={`Go to a place in ${title}`}
          value={drag ?? Math.round(spot.share * 1000)}
          max={1000}
          step={5}
          largeStep={50}
          valueText={(at) => `${Math.round(at / 10)} per cent of the book`}
          onChange={setDrag}
          onCommit={(at) => {
            setDrag(undefined)
            onGoTo(at / 1000)
          }}
          className={styles.slider}
        />
      ) : (
        <ProgressLine share={spot.share} label={`Progress in ${title}`} valueText={spotWords(spot)} thin />
      )}
      <div className={styles.turning}>
        <IconButton label="Previous page" icon={<Icon of={CaretLeftIcon} size={20} />} onClick={onPrevious} />
        <p className={styles.spot} aria-live="polite">
          {drag !== undefined ? `${Math.round(drag / 10)}%` : goes ? leftWords(spot) : spotWords(spot)}
        </p>
        <IconButton
          label="Go to a place"
          icon={<Icon of={SlidersHorizontalIcon} size={20} />}
          aria-expanded={goes}
          onClick={() => setGoes(!goes)}
        />
        <IconButton label="Next page" icon={<Icon of={CaretRightIcon} size={20} />} onClick={onNext} />
      </div>
    </footer>
  )
}

interface MarkBarProps {
  marked: boolean
  note: string
  quote: string
  onHighlight: () => void
  onNote: () => void
  onRemove: () => void
  onClose: () => void
}

/**
 * Actions for selected text or a highlight: above the foot of the page, where it doesn't cover the selection.
 */
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
