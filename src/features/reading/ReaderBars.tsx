import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { ListBulletsIcon } from '@phosphor-icons/react/dist/csr/ListBullets'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { TextAaIcon } from '@phosphor-icons/react/dist/csr/TextAa'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { spotWords, type ReadingPosition } from './model.ts'
import styles from './ReaderBars.module.css'

interface TopBarProps {
  title: string
  chapter: string
  /** Hidden while reading; focus brings it back by itself. */
  withdrawn: boolean
  ready: boolean
  onClose: () => void
  onContents: () => void
  onSearch: () => void
  onLook: () => void
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
}: TopBarProps) {
  return (
    <header className={styles.top} data-withdrawn={withdrawn}>
      <div role="group" aria-label="Reading tools" className={styles.tools}>
        <IconButton label="Close the book" icon={<Icon of={XIcon} />} onClick={onClose} />
        <div className={styles.names}>
          <h1 className={styles.title}>{title}</h1>
          {chapter && <p className={styles.chapter}>{chapter}</p>}
        </div>
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
}

export function FootBar({ title, spot, onPrevious, onNext }: FootBarProps) {
  return (
    <footer className={styles.foot}>
      <ProgressLine share={spot.share} label={`Progress in ${title}`} valueText={spotWords(spot)} thin />
      <div className={styles.turning}>
        <IconButton label="Previous page" icon={<Icon of={CaretLeftIcon} size={20} />} onClick={onPrevious} />
        <p className={styles.spot} aria-live="polite">
          {spotWords(spot)}
        </p>
        <IconButton label="Next page" icon={<Icon of={CaretRightIcon} size={20} />} onClick={onNext} />
      </div>
    </footer>
  )
}
