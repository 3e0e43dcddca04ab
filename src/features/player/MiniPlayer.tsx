import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { Suspense, useRef, useState, type TouchEvent } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { JumpButton, usePlayAction } from './PlayerButtons.tsx'
import { showPlayerWindow } from './lazy.ts'
import styles from './player.module.css'
import type { Chapter, Playable, TitleRef } from './model.ts'
import { usePosition } from './position.ts'
import { usePlayer } from './store.ts'
import { useStateWords, useChapter, useShowsChapters, useTitleTheme } from './use-player.ts'

export interface MiniPlayerProps {
  onOpen: (title: TitleRef) => void
  onBookPage: (slug: string) => void
}

/** Phones: a widget above the tabs (NAV-59). From 768 px a bar at the bottom (CONST-08). */
export function MiniPlayer({ onOpen, onBookPage }: MiniPlayerProps) {
  const title = usePlayer((store) => store.state.title)
  const isInOtherWindow = usePlayer((store) => store.isInOtherWindow)
  const controls = usePlayer((store) => store.controls)
  const hasSound = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 0)
  const theme = useTitleTheme(title)
  const waiting = usePlayer((store) => store.state.waitingFor !== undefined)
  const action = usePlayAction()
  const swipe = useSwipeUp(() => title && onOpen(title))
  if (!title) return null

  return (
    <section
      className={styles.mini}
      style={themeStyle(theme)}
      aria-label="Player"
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
        <MiniWords title={title} />
        <VisuallyHidden>{isInOtherWindow ? 'Show the player’s window' : 'Open the player'}</VisuallyHidden>
      </button>
      <JumpButton direction="back" />
      <IconButton
        className={cx(waiting && styles.waiting)}
        label={action.label}
        aria-busy={waiting}
        icon={<Icon of={action.picture} size={30} filled />}
        disabled={!hasSound}
        onClick={() => controls?.toggle()}
      />
      <JumpButton direction="forward" />
      <MiniMenu title={title} onBookPage={onBookPage} />
      <MiniProgress />
    </section>
  )
}

function MiniWords({ title }: { title: Playable }) {
  const chapter = useChapter()
  const worthSaying = usePlayer(({ state }) => state.waitingFor !== undefined || state.wentElsewhere)
  const { words } = useStateWords()
  return (
    <span className={styles.words}>
      <span className={styles.title}>{title.title}</span>
      <span className={styles.chapter}>{worthSaying ? words : nowPlaying(title, chapter)}</span>
    </span>
  )
}

function nowPlaying(title: Playable, chapter: Chapter | undefined) {
  if (title.kind === 'sample') return 'Sample'
  if (title.kind === 'recording') return title.author || 'Recording'
  return chapter && `${chapter.number}. ${chapter.title}`
}

function MiniProgress() {
  const { seconds, duration } = usePosition()
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

  const entries = [
    showsChapters && { key: 'chapters', label: 'Chapters', onSelect: () => setChapters('open') },
    {
      key: 'page',
      label: title.kind === 'recording' ? 'Go to its page' : 'Go to book page',
      onSelect: () => onBookPage(title.slug),
    },
    { key: 'off', label: 'Turn off player', ruled: true, onSelect: () => controls?.turnOff() },
  ].filter((entry) => entry !== false)

  return (
    <>
      <IconButton
        ref={button}
        label="More"
        icon={<Icon of={DotsThreeIcon} size={26} />}
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
