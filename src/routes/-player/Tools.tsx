import { BookmarkSimpleIcon } from '@phosphor-icons/react/dist/csr/BookmarkSimple'
import { ListBulletsIcon } from '@phosphor-icons/react/dist/csr/ListBullets'
import { TextAlignLeftIcon } from '@phosphor-icons/react/dist/csr/TextAlignLeft'
import { QueueIcon } from '@phosphor-icons/react/dist/csr/Queue'
import { MoonIcon } from '@phosphor-icons/react/dist/csr/Moon'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import type { Panel } from './PlayerPanels.tsx'
import type { SleepState } from '#features/player/sleep-timer.ts'
import { speedLabel } from '#features/player/speed.ts'
import { usePlayer } from '#features/player/store.ts'
import styles from './player.module.css'
import { useShowsChapters, useTitleDownload } from '#features/player/use-player.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { FAILURE_WORDS } from '#features/downloads/model.ts'
import { removeDownload } from '#features/downloads/lazy.ts'
import { isMuch, isRunning, type Download } from '#features/downloads/model.ts'
import { pressDownload } from '#features/downloads/press-download.ts'
import { announce } from '#ui/announce.ts'
import { DownloadGlyph } from '#ui/DownloadRing.tsx'
import { toast } from '#ui/toast.ts'
import type { Playable } from '#features/player/model.ts'

interface ToolsProps {
  onOpen: (panel: Panel) => void
  onBookmark: () => void
  /** The open panel. */
  shown: Panel | undefined
  /** Shows the book's text in place of the cover; undefined if the listener can't read it in step. */
  text: { readonly isShown: boolean; readonly onPress: () => void } | undefined
}

export function Tools({ onOpen, onBookmark, shown, text }: ToolsProps) {
  const title = usePlayer((store) => store.state.title)
  const speed = usePlayer((store) => store.state.speed)
  const sleep = usePlayer((store) => store.sleep)
  const showsChapters = useShowsChapters(title)
  if (!title) return null
  return (
    <div className={styles.tools}>
      <Tool label={`${speedLabel(speed)} Speed`} onPress={() => onOpen('speed')} opened={shown === 'speed'}>
        <span className={styles.number}>{speedLabel(speed)}</span> Speed
      </Tool>
      <Tool
        label={`${sleepWords(sleep)}${sleep.choice ? ', sleep timer' : ' timer'}`}
        onPress={() => onOpen('sleep')}
        opened={shown === 'sleep'}
      >
        <Icon of={MoonIcon} filled={sleep.choice !== undefined} />
        {sleepWords(sleep)}
      </Tool>
      {showsChapters && (
        <Tool
          label="Chapters"
          onPress={() => onOpen('chapters')}
          opened={shown === 'chapters'}
          className={styles.withoutList}
        >
          <Icon of={ListBulletsIcon} />
          Chapters
        </Tool>
      )}
      {title.kind === 'book' && (
        <>
          <Tool label="Bookmark this place" onPress={onBookmark}>
            <Icon of={BookmarkSimpleIcon} />
            Bookmark
          </Tool>
          {text ? (
            <button type="button" className={styles.tool} aria-pressed={text.isShown} onClick={text.onPress}>
              <Icon of={TextAlignLeftIcon} />
              Text
            </button>
          ) : (
            <DownloadTool title={title} onStop={() => onOpen('stopDownload')} />
          )}
          <Tool
            label="What comes next"
            onPress={() => onOpen('next')}
            opened={shown === 'next'}
            className={styles.besideList}
          >
            <Icon of={QueueIcon} />
            Next
          </Tool>
        </>
      )}
    </div>
  )
}

/** "24 min", "Chapter end", or the name of the tool. */
const sleepWords = ({ choice, leftSeconds }: SleepState): string => {
  if (!choice) return 'Sleep'
  if (choice.kind === 'nextChapter') return 'Next chapter end'
  return leftSeconds === undefined ? 'Chapter end' : `${Math.ceil(leftSeconds / 60)} min`
}

interface DownloadToolProps {
  title: Playable
  /** Called if much is stored already: asks the listener first. */
  onStop: () => void
}

/** Downloads, stops, or shows that the title is stored; the downloads page removes it. */
function DownloadTool({ title, onStop }: DownloadToolProps) {
  const download = useTitleDownload(title)
  const { key, state, share, failure } = download
  const running = isRunning(download)
  // Don't announce failures from an earlier day. On a full device a download fails without ever running.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isAwaited.current && state === 'failed' && failure) announce(FAILURE_WORDS[failure])
    isAwaited.current = running
  }, [running, state, failure])
  const words = downloadWords(download)
  const press = () => {
    if (running && isMuch(download)) onStop()
    else if (running) void removeDownload(key)
    else if (state === 'done') toast('Saved for the train.')
    else {
      isAwaited.current = true
      pressDownload(key)
    }
  }
  return (
    <>
      <Tool label={LABELS[state](words)} onPress={press}>
        <DownloadGlyph state={state === 'waiting' ? 'downloading' : state} share={share} size={24} />
        {words}
      </Tool>
      {state === 'failed' && failure && <p className={styles.failure}>{FAILURE_WORDS[failure]}</p>}
    </>
  )
}

const downloadWords = ({ state, share }: Download): string => {
  const percent = `${Math.floor(share * 100)}%`
  return { none: 'Download', waiting: percent, downloading: percent, done: 'Saved', failed: 'Try again' }[
    state
  ]
}

const stop = (words: string) => `${words}, stop download`
const LABELS: Record<Download['state'], (words: string) => string> = {
  none: () => 'Download book',
  waiting: stop,
  downloading: stop,
  done: () => 'Saved on this device',
  failed: () => 'Try again to download',
}

interface ToolProps {
  /** Starts with the visible text (WCAG 2.5.3). */
  label: string
  onPress: () => void
  /** Of a tool with a panel: whether it is open. */
  opened?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

function Tool({ label, onPress, opened, className, children }: ToolProps) {
  return (
    <button
      type="button"
      className={cx(styles.tool, className)}
      aria-label={label}
      aria-haspopup={opened === undefined ? undefined : 'dialog'}
      aria-expanded={opened}
      onClick={onPress}
    >
      {children}
    </button>
  )
}
