import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { clock } from '#format/clock.ts'
import { announce } from '#ui/announce.ts'
import { useBand } from '#ui/band.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { toast } from '#ui/toast.ts'
import { ChapterList } from './ChapterList.tsx'
import { Finished } from './Finished.tsx'
import { placeToMark } from './bookmarks.ts'
import { MoreMenu } from './MoreMenu.tsx'
import type { Panel } from './panel.ts'
import styles from './Player.module.css'
import { PlayerPanels } from './PlayerPanels.tsx'
import { readPosition } from './position.ts'
import { Scrubber } from './Scrubber.tsx'
import type { SheetPartProps } from './sheet-style.ts'
import { StateLine } from './StateLine.tsx'
import { usePlayer } from './store.ts'
import { Times } from './Times.tsx'
import { Tools } from './Tools.tsx'
import { Transport } from './Transport.tsx'
import { UndoJump } from './WayBack.tsx'
import { useKeys } from './use-keys.ts'
import { useChapter, useShowsChapters, useTitleTheme } from './use-player.ts'

export interface PlayerProps {
  /** Back to where the listener came from, with the mini player; in its own window, closes that. */
  onMinimise: () => void
  onBookPage: (slug: string) => void
  /** One short line below the state: what became of the place. */
  note?: ReactNode
  /** One short line above the bookmarks: what waits. */
  bookmarkNote?: ReactNode
  /** A card above the cover, which gives way to it: transport and tools stay free. */
  notice?: ReactNode
  /** Suggestions after a book that was heard to its end. */
  next?: ReactNode
  /** The places of this book that were left behind; `close` when one was chosen. */
  earlierPlaces?: ((close: () => void) => ReactNode) | undefined
  /** Marks the book as finished, or as not. */
  onMark?: ((finished: boolean) => void) | undefined
  /** The sheet that says what comes after this book. */
  whatNext?: ((sheet: SheetPartProps) => ReactNode) | undefined
}

/** The full player: flat title colour, cover, one chapter. From 900 px on with the chapters beside it. */
export function Player({
  onMinimise,
  onBookPage,
  note,
  bookmarkNote,
  notice,
  next,
  earlierPlaces,
  onMark,
  whatNext,
}: PlayerProps) {
  const title = usePlayer((store) => store.state.title)
  const chapter = useChapter()
  const theme = useTitleTheme(title)
  const showsChapters = useShowsChapters(title)
  const region = useRef<HTMLElement>(null)
  const [panel, setPanel] = useState<Panel>()
  const [isOpen, setIsOpen] = useState(false)
  const [noteFor, setNoteFor] = useState<string>()
  useBand(theme)
  useFullDisplay()
  useLoadingSaid()

  const open = (next: Panel, note?: string) => {
    setNoteFor(note)
    setPanel(next)
    setIsOpen(true)
  }
  const bookmark = () => {
    const bookmarks = usePlayer.getState().player?.bookmarks
    if (!bookmarks || title?.kind !== 'book') return
    const mark = bookmarks.add(placeToMark(title.chapters, readPosition()))
    toast(`Bookmarked at ${clock(mark.seconds)}`, {
      action: { label: 'Add note', onPress: () => open('bookmarks', mark.id) },
      otherAction: { label: 'Undo', onPress: () => bookmarks.remove(mark.id) },
    })
  }
  const finished = usePlayer(({ state }) => state.status === 'ended' && state.title?.kind === 'book')
  useKeys(region, { onOpen: open, onBookmark: bookmark, onMinimise })
  if (!title) return null

  const more = (
    <MoreMenu
      onOpen={open}
      onBookPage={onBookPage}
      hasEarlierPlaces={earlierPlaces !== undefined}
      hasNext={whatNext !== undefined}
      onMark={onMark}
      onTurnedOff={onMinimise}
      onMovedToWindow={onMinimise}
    />
  )
  return (
    <section
      ref={region}
      className={cx(styles.surface, finished && styles.paper)}
      style={finished ? undefined : themeStyle(theme)}
      aria-label="Player"
      tabIndex={-1}
      data-display="full"
    >
      {finished ? (
        <Finished title={title} theme={theme} more={more} next={next} onMinimise={onMinimise} />
      ) : (
        <div className={styles.player}>
          <div className={styles.top}>
            <IconButton label="Minimise player" icon={<Icon of={CaretDownIcon} />} onClick={onMinimise} />
            <StateLine note={note} />
            {more}
          </div>
          {notice && <div className={styles.notice}>{notice}</div>}
          <div className={styles.art}>
            <Cover
              picture={title.cover}
              alt={title.coverAlt}
              sizes="(min-width: 900px) 400px, 342px"
              hero
              className={styles.cover}
            />
          </div>
          <div className={styles.controls}>
            <Display as="h1" size="sm" className={styles.chapter}>
              {chapter?.title ?? title.title}
            </Display>
            <p className={styles.book}>
              {title.title}
              {title.place && ` (${title.place})`}
              {title.narrator && `, read by ${title.narrator}`}
            </p>
            <UndoJump />
            <Scrubber />
            <Times />
            <Transport />
            <Tools onOpen={open} onBookmark={bookmark} />
          </div>
          {showsChapters && (
            <section className={styles.chapters} aria-labelledby="player-chapters">
              <Display as="h2" size="sm" id="player-chapters" className={styles.chaptersTitle}>
                Chapters
              </Display>
              <ChapterList />
            </section>
          )}
        </div>
      )}
      <PlayerPanels
        panel={panel}
        open={isOpen}
        noteFor={noteFor}
        bookmarkNote={bookmarkNote}
        earlierPlaces={earlierPlaces}
        whatNext={whatNext}
        onOpenChange={setIsOpen}
      />
    </section>
  )
}

/** PLAY-15: while this is shown, the mini player is not. */
function useFullDisplay() {
  useLayoutEffect(() => {
    usePlayer.setState({ display: 'full' })
    return () => usePlayer.setState({ display: 'mini' })
  }, [])
}

function useLoadingSaid() {
  const loading = usePlayer((store) => store.state.waitingFor === 'chapter')
  useEffect(() => {
    if (loading) announce(MESSAGES.loadingNextChapter)
  }, [loading])
}
