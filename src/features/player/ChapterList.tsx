import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { CircleNotchIcon } from '@phosphor-icons/react/dist/csr/CircleNotch'
import { DownloadSimpleIcon } from '@phosphor-icons/react/dist/csr/DownloadSimple'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useEffect, useRef } from 'react'
import type { Download } from '#features/downloads/model.ts'
import { clock, spokenClock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import styles from './player.module.css'
import type { Chapter } from './model.ts'
import { usePlayer } from './store.ts'
import { useTitleDownload } from './use-player.ts'

/** Selecting a chapter plays it (PLAY-03). */
export function ChapterList({ onChosen }: { onChosen?: () => void }) {
  const title = usePlayer((store) => store.state.title)
  const current = usePlayer((store) => store.state.chapter)
  const controls = usePlayer((store) => store.controls)
  const download = useTitleDownload(title)
  const isBook = title?.kind === 'book'
  const list = useRef<HTMLOListElement>(null)

  useEffect(() => {
    list.current?.querySelector(`[data-chapter="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  return (
    <ol ref={list} className={styles.list}>
      {title?.chapters.map((chapter) => (
        <li key={chapter.number}>
          <button
            type="button"
            className={styles.row}
            data-chapter={chapter.number}
            aria-current={chapter.number === current ? 'true' : undefined}
            onClick={({ nativeEvent, currentTarget }) => {
              // After a mouse click Space controls the player; after a key press it stays with the row (PLAY-01).
              if (!onChosen && nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'mouse')
                currentTarget.blur()
              if (chapter.number !== current) controls?.goTo({ chapter: chapter.number, seconds: 0 })
              controls?.play()
              onChosen?.()
            }}
          >
            <span className={chapter.number === current ? undefined : styles.soft}>{chapter.number}</span>
            <span>{chapter.title}</span>
            {chapter.seconds > 0 ? (
              <span className={styles.soft}>
                <span aria-hidden="true">{clock(chapter.seconds)}</span>
                <VisuallyHidden>{spokenClock(chapter.seconds)}</VisuallyHidden>
              </span>
            ) : (
              <span />
            )}
            <span className={styles.states}>
              {isBook && chapter.number < current && <Heard />}
              <ChapterState chapter={chapter} download={download} isCurrent={chapter.number === current} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

const CURRENT = <Icon of={PlayIcon} size={18} filled />

interface ChapterStateProps {
  chapter: Chapter
  download: Download
  /** Its mark replaces the icon of the download. */
  isCurrent: boolean
}

/** As on the book's page: every chapter before the current one. */
const Heard = () => (
  <>
    <Icon of={CheckIcon} size={20} />
    <VisuallyHidden>heard</VisuallyHidden>
  </>
)

/** Not a tick: that means heard. */
function ChapterState({ chapter, download, isCurrent }: ChapterStateProps) {
  if (download.stored.has(chapter.number)) {
    return (
      <>
        {isCurrent ? CURRENT : <Icon of={DownloadSimpleIcon} size={20} />}
        <VisuallyHidden>{download.state === 'none' ? 'kept ahead' : 'downloaded'}</VisuallyHidden>
      </>
    )
  }
  if (download.coming === chapter.number) {
    return (
      <>
        {isCurrent ? CURRENT : <Icon of={CircleNotchIcon} size={20} />}
        <VisuallyHidden>downloading</VisuallyHidden>
      </>
    )
  }
  return isCurrent && CURRENT
}
