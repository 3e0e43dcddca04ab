import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { Suspense, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { clock } from '#format/clock.ts'
import { shortLength } from '#format/duration.ts'
import { announce } from '#ui/announce.ts'
import { useBand } from '#ui/Band.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import { toast } from '#ui/toast.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useMedia } from '#ui/use-media.ts'
import { useInStep } from '#features/in-step/use-in-step.ts'
import { ChapterList } from '#features/player/ChapterList.tsx'
import { placeToMark } from '#features/player/bookmarks.ts'
import { MoreMenu } from './MoreMenu.tsx'
import { type Panel, PlayerPanels } from './PlayerPanels.tsx'
import styles from './player.module.css'
import { usePosition } from '#features/player/position.ts'
import { skippedAfter } from '#features/player/shorten-silences.ts'
import { Scrubber, Times, Transport, UndoJump } from './PlayerControls.tsx'
import { PlayerNotice } from '#features/listening/PlayerNotice.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { FinishedNext } from './FinishedNext.tsx'
import { usePlayer } from '#features/player/store.ts'
import { Tools } from './Tools.tsx'
import { useKeys } from './keyboard.ts'
import { useChapter, useShowsChapters, useTitleTheme, useStateWords } from '#features/player/use-player.ts'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { Link } from '@tanstack/react-router'
import { PlaceNote } from '#features/listening/SavedNotes.tsx'
import { useSession } from '#session/store.ts'
import { useNow } from '#ui/use-now.ts'
import { bookSeconds, secondsIntoBook, type Playable } from '#features/player/model.ts'

interface PlayerProps {
  /** Returns to the previous screen with the mini player; closes the player's window. */
  onMinimise: () => void
  onBookPage: (slug: string) => void
}

/** The full player: title colour, cover, one chapter. From 900 px with the chapter list next to it. */
export function Player({ onMinimise, onBookPage }: PlayerProps) {
  const title = usePlayer((store) => store.state.title)
  const chapter = useChapter()
  const theme = useTitleTheme(title)
  const showsChapters = useShowsChapters(title)
  const region = useRef<HTMLElement>(null)
  const controls = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLElement>(null)
  const isWide = useMedia(WIDE)
  const [panel, setPanel] = useState<Panel>()
  const [isOpen, setIsOpen] = useState(false)
  const [noteFor, setNoteFor] = useState<string>()
  const inStep = useInStep(title)
  const [wantsText, setWantsText] = useState(false)
  const showsText = wantsText && inStep !== undefined
  useBand(theme)
  useFullDisplay()
  useLoadingSaid()

  const open = (next: Panel, note?: string) => {
    // In a wide window the list is on the screen.
    const row = next === 'chapters' && list.current?.querySelector<HTMLElement>('[aria-current]')
    if (row && row.offsetHeight > 0) return row.focus()
    setNoteFor(note)
    setPanel(next)
    // A second press on a tool closes what it opened.
    setIsOpen(next !== panel || !isOpen)
  }
  const bookmark = async () => {
    const bookmarks = usePlayer.getState().player?.bookmarks
    if (!bookmarks || title?.kind !== 'book') return
    const place = placeToMark(title.chapters, usePosition.getState())
    // Loaded together with `inStep`, so this waits for nothing.
    const sentence = inStep && (await import('#features/in-step/in-step.ts')).sentenceAt(inStep, place)
    const mark = bookmarks.add(place, sentence?.isCertain ? sentence.words : undefined)
    toast(`Bookmarked at ${clock(mark.seconds)}`, {
      action: { label: 'Add note', onPress: () => open('bookmarks', mark.id) },
      otherAction: { label: 'Undo', onPress: () => bookmarks.remove(mark.id) },
    })
  }
  const finished = usePlayer(({ state }) => state.status === 'ended' && state.title?.kind === 'book')
  const sampleEnded = usePlayer(({ state }) => state.status === 'ended' && state.title?.kind === 'sample')
  useKeys(region, { onOpen: open, onBookmark: () => void bookmark(), onMinimise })
  if (!title) return null

  const more = <MoreMenu inStep={inStep} onOpen={open} onBookPage={onBookPage} onMinimise={onMinimise} />
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
        <Finished title={title} theme={theme} more={more} onMinimise={onMinimise} />
      ) : sampleEnded ? (
        <Suspense>
          <SampleEnd title={title} onMinimise={onMinimise} />
        </Suspense>
      ) : (
        <div className={styles.player} data-popover={isOpen && isBeside(panel) ? '' : undefined}>
          <div className={styles.top}>
            <IconButton label="Minimise player" icon={<Icon of={CaretDownIcon} />} onClick={onMinimise} />
            <StateLine />
            <div className={styles.more}>{more}</div>
          </div>
          {title.kind === 'book' && (
            // Takes space from the cover, so that transport and tools stay visible.
            <div className={styles.notice}>
              <PlayerNotice slug={title.slug} />
            </div>
          )}
          {showsText ? (
            <Suspense fallback={<div className={styles.art} />}>
              <BookText inStep={inStep} />
            </Suspense>
          ) : (
            <div className={styles.art}>
              <Cover
                picture={title.cover}
                alt={title.coverAlt}
                sizes="(min-width: 768px) 560px, 350px"
                hero
                className={styles.cover}
                style={coverPlace('player-cover')}
              />
            </div>
          )}
          <div ref={controls} className={styles.controls}>
            <Display as="h1" size="sm" className={styles.chapter}>
              {chapter?.title ?? title.title}
            </Display>
            <p className={styles.book}>
              <i>{title.title}</i>
              {title.place && ` (${title.place})`}
              {title.narrator && `, read by ${title.narrator}`}
            </p>
            <UndoJump />
            <Scrubber />
            <Times />
            <Transport />
            <Tools
              onOpen={open}
              onBookmark={() => void bookmark()}
              shown={isOpen ? panel : undefined}
              text={inStep && { isShown: showsText, onPress: () => setWantsText(!wantsText) }}
            />
          </div>
          {showsChapters && (
            <section ref={list} className={styles.chapters} aria-labelledby="player-chapters">
              <div className={styles.chaptersHead}>
                <Display as="h2" size="md" id="player-chapters">
                  Chapters
                </Display>
                <BookLeft chapters={title.chapters} />
              </div>
              <div className={styles.chapterList}>
                <ChapterList />
              </div>
              {isWide && title.kind === 'book' && (
                <Suspense>
                  <NextRow onPress={() => open('next')} />
                </Suspense>
              )}
            </section>
          )}
        </div>
      )}
      <PlayerPanels
        panel={panel}
        open={isOpen}
        noteFor={noteFor}
        beside={controls}
        onOpenChange={setIsOpen}
      />
    </section>
  )
}

/** As wide as `--large-tablet`, from which on the chapters are next to the cover. */
const WIDE = '(min-width: 900px)'

/** The panels that open next to the controls in a wide window. */
const isBeside = (panel: Panel | undefined) => panel === 'speed' || panel === 'sleep' || panel === 'next'

const SampleEnd = lazyPart(() => import('./SampleEnd.tsx'), 'SampleEnd')
const BookText = lazyPart(() => import('./BookText.tsx'), 'BookText')
const NextRow = lazyPart(() => import('#features/queue/QueueSheet.tsx'), 'NextRow')

/** What is left of the whole book. */
function BookLeft({ chapters }: Pick<Playable, 'chapters'>) {
  const cuts = usePlayer((store) => store.cuts)
  const minutes = usePosition((at) => {
    const skipped = cuts ? skippedAfter(cuts, chapters, at) : 0
    const seconds = bookSeconds(chapters) - secondsIntoBook(chapters, at) - skipped
    // Rounded like in the library; an unchanged minute isn't rendered again.
    return seconds > 0 ? Math.max(1, Math.floor(seconds / 60)) : 0
  })
  return minutes > 0 && <p className={styles.bookLeft}>{shortLength(minutes * 60)} left</p>
}

/** PLAY-15: hides the mini player while this is shown. */
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

/** The source of the sound, or the reason for waiting; below it a note about the place. */
function StateLine() {
  const title = usePlayer(({ state }) => state.title)
  const waiting = usePlayer(({ state }) => state.waitingFor !== undefined)
  const { words, isOnDevice } = useStateWords()
  return (
    <div className={styles.lines}>
      <p className={styles.line}>
        {isOnDevice && !waiting && <Icon of={CheckIcon} size={18} />}
        {words}
      </p>
      <p className={styles.note}>{title?.kind === 'book' && <NoteOnPlace slug={title.slug} />}</p>
    </div>
  )
}

/** Whether the place is saved, or what is needed to save it. */
function NoteOnPlace({ slug }: { slug: string }) {
  const ended = useSession((state) => state.status === 'ended')
  const now = useNow()
  if (!ended) return <PlaceNote slug={slug} nowMs={now} />
  return (
    <Link to="/login" search={{ from: `/player/${slug}` }}>
      Log in to save your place
    </Link>
  )
}

interface FinishedProps {
  title: Playable
  theme: TitleTheme
  more: ReactNode
  onMinimise: () => void
}

/** The end of a book: the title colour shrinks to a line at the top. */
function Finished({ title, theme, more, onMinimise }: FinishedProps) {
  const length = shortLength(bookSeconds(title.chapters))
  return (
    <div className={styles.screen}>
      <div className={styles.band} style={themeStyle(theme)}>
        <Wrap className={styles.finished}>
          <Cover picture={title.cover} alt="" sizes="56px" thumb style={coverPlace('player-cover')} />
          <div>
            <Display as="h1" size="sm">
              You’ve finished <i>{title.title}</i>
            </Display>
            <p className={styles.facts}>{title.narrator ? `Read by ${title.narrator}, ${length}` : length}</p>
          </div>
          {more}
          <IconButton label="Minimise player" icon={<Icon of={CaretDownIcon} />} onClick={onMinimise} />
        </Wrap>
      </div>
      <div className={styles.finishedPaper} style={{ '--withdrawing': theme['--title-bg'] }}>
        <FinishedNext slug={title.slug} />
      </div>
    </div>
  )
}
