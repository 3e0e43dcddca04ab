import { Suspense, useRef, useState, type TouchEvent } from 'react'
import { chapterInWords } from '#format/chapter.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { MoreIcon } from '#ui/MoreIcon.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { JumpButton, usePlayAction } from './PlayerButtons.tsx'
import type { PlayerRemote } from './engine-interface.ts'
import { type RestingTitle, storeLastPlayed } from './last-played.ts'
import { backInPlayer, showPlayerWindow } from './lazy.ts'
import styles from './player.module.css'
import { type Chapter, chapterAt, type Playable, type TitleRef } from './model.ts'
import { usePosition } from './position.ts'
import { usePlayer } from './store.ts'
import { useStateWords, useChapter, useShowsChapters, useTitleTheme } from './use-player.ts'

export interface MiniPlayerProps {
  /** Shown while this page's player has no title. */
  resting: RestingTitle | undefined
  onOpen: (title: TitleRef) => void
  onBookPage: (slug: string) => void
}

/** Phones: a widget above the tabs (NAV-59). From 768 px a bar at the bottom (CONST-08). */
export function MiniPlayer({ resting, onOpen, onBookPage }: MiniPlayerProps) {
  const playing = usePlayer((store) => store.state.title)
  const title = playing ?? resting?.title
  const isInOtherWindow = usePlayer((store) => store.isInOtherWindow)
  const controls = usePlayer((store) => store.controls)
  const hasSound = (title?.chapters.length ?? 0) > 0
  const [isComing, setIsComing] = useState(false)
  const theme = useTitleTheme(title)
  const waiting = usePlayer((store) => store.state.waitingFor !== undefined)
  const action = usePlayAction()
  const swipe = useSwipeUp(() => title && onOpen(title))
  if (!title) return null

  /** Loads the player with the first press. */
  const control = async (act: (controls: PlayerRemote) => void) => {
    if (playing) return controls && act(controls)
    setIsComing(true)
    try {
      const loaded = await backInPlayer(title)
      if (loaded) act(loaded)
    } catch {
      // The player's screen explains what is missing.
      onOpen(title)
    } finally {
      setIsComing(false)
    }
  }
  const jump = (bySeconds: number) => void control((loaded) => loaded.jump(bySeconds))
  return (
    <section
      className={styles.mini}
      style={themeStyle(theme)}
      aria-label={playing ? 'Player' : 'Last played'}
      data-bar="mini"
      data-display="mini"
      {...swipe}
    >
      <button
        type="button"
        className={styles.open}
        onClick={() => (isInOtherWindow ? showPlayerWindow() : onOpen(title))}
      >
        <Cover
          picture={title.cover}
          alt=""
          sizes="52px"
          thumb
          className={styles.cover}
          style={coverPlace('player-cover')}
        />
        {playing ? (
          <MiniWords title={title} />
        ) : (
          <Words title={title} chapter={resting && restingChapter(resting)} />
        )}
        <VisuallyHidden>{isInOtherWindow ? 'Show the player’s window' : 'Open the player'}</VisuallyHidden>
      </button>
      <JumpButton direction="back" disabled={!hasSound} onJump={jump} />
      <IconButton
        className={cx((waiting || isComing) && styles.waiting)}
        label={action.label}
        aria-busy={waiting || isComing}
        icon={<Icon of={action.picture} size={30} filled />}
        disabled={!hasSound}
        onClick={() => void control((loaded) => loaded.toggle())}
      />
      <JumpButton direction="forward" disabled={!hasSound} onJump={jump} />
      <MiniMenu title={title} onBookPage={onBookPage} />
      <MiniProgress resting={playing ? undefined : resting} />
    </section>
  )
}

function MiniWords({ title }: { title: Playable }) {
  const chapter = useChapter()
  const worthSaying = usePlayer(({ state }) => state.waitingFor !== undefined || state.wentElsewhere)
  const { words } = useStateWords()
  return <Words title={title} chapter={chapter} words={worthSaying ? words : undefined} />
}

interface WordsProps {
  title: Playable
  chapter: Chapter | undefined
  /** Instead of the chapter. */
  words?: string | undefined
}

const Words = ({ title, chapter, words }: WordsProps) => (
  <span className={styles.words}>
    <span className={styles.title}>{title.title}</span>
    <span className={styles.chapter}>{words ?? nowPlaying(title, chapter)}</span>
  </span>
)

const restingChapter = ({ title, place }: RestingTitle) => chapterAt(title.chapters, place.chapter)

function nowPlaying(title: Playable, chapter: Chapter | undefined) {
  if (title.kind === 'sample') return 'Sample'
  if (title.kind === 'recording') return title.author || 'Recording'
  return chapter && chapterInWords(chapter.number, chapter.title)
}

function MiniProgress({ resting }: { resting: RestingTitle | undefined }) {
  const position = usePosition()
  const { seconds, duration } = resting
    ? { seconds: resting.place.seconds, duration: restingChapter(resting)?.seconds ?? 0 }
    : position
  return (
    <ProgressLine
      share={duration > 0 ? seconds / duration : 0}
      tone="title"
      thin
      className={styles.progress}
    />
  )
}

function MiniMenu({ title, onBookPage }: { title: Playable; onBookPage: (slug: string) => void }) {
  const controls = usePlayer((store) => store.controls)
  const showsChapters = useShowsChapters(title)
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const [chapters, setChapters] = useState<'never' | 'open' | 'closed'>('never')

  const turnOff = () => {
    controls?.turnOff()
    // The player's window can't tell this page.
    storeLastPlayed(undefined)
  }
  const entries = [
    showsChapters && { key: 'chapters', label: 'Chapters', onSelect: () => setChapters('open') },
    {
      key: 'page',
      label: title.kind === 'recording' ? 'Go to its page' : 'Go to book page',
      onSelect: () => onBookPage(title.slug),
    },
    { key: 'off', label: 'Turn off player', ruled: true, onSelect: turnOff },
  ].filter((entry) => entry !== false)

  return (
    <>
      <IconButton
        ref={button}
        label="More"
        icon={<MoreIcon size={26} />}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => {
          setWanted(true)
          setOpen(!open)
        }}
      />
      <Suspense>
        {wanted && (
          <Menu
            label="More"
            entries={entries}
            anchor={button}
            side="top"
            fixed
            open={open}
            onOpenChange={setOpen}
          />
        )}
        {chapters !== 'never' && (
          <ChaptersSheet
            open={chapters === 'open'}
            onOpenChange={(next) => setChapters(next ? 'open' : 'closed')}
          />
        )}
      </Suspense>
    </>
  )
}

const loadMenu = () => import('#ui/Menu.tsx')
const Menu = lazyPart(loadMenu, 'Menu')
const ChaptersSheet = lazyPart(() => import('./ChaptersSheet.tsx'), 'ChaptersSheet')

/** Longer than a tap, short enough for a thumb. */
const SWIPE_PX = 40

function useSwipeUp(onSwipe: () => void) {
  const from = useRef<number | undefined>(undefined)
  return {
    onTouchStart: (event: TouchEvent) => void (from.current = event.touches[0]?.clientY),
    onTouchEnd: (event: TouchEvent) => {
      const to = event.changedTouches[0]?.clientY
      if (from.current !== undefined && to !== undefined && from.current - to > SWIPE_PX) onSwipe()
      from.current = undefined
    },
  }
}
