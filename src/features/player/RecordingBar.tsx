import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { Suspense, useEffect, useRef, useState } from 'react'
import { clock, spokenPosition } from '#format/clock.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { listenTo } from './lazy.ts'
import { sameTitle, type TitleRef } from './model.ts'
import styles from './player.module.css'
import { JumpButton } from './PlayerButtons.tsx'
import { usePosition } from './position.ts'
import { speedLabel } from './speed.ts'
import { usePlayer, wantsSound } from './store.ts'

/** Its base is half as large as all other code of a journal page. */
const Slider = lazyPart(() => import('#ui/Slider.tsx'), 'Slider')

/** A part of a recording: where it begins, and its name. */
export interface Part {
  readonly seconds: number
  readonly title: string
}

interface RecordingBarProps {
  /** `interviews/{slug}` */
  address: string
  title: string
  seconds: number
  parts: readonly Part[]
}

/** A journal recording, played on its own page by the app's one player, in the colours of the band around it. */
export function RecordingBar({ address, title, seconds, parts }: RecordingBarProps) {
  const { isHere, runs, at, length, playFrom } = useRecording(address, seconds)
  const [drag, setDrag] = useState<number>()
  const bar = useRef<HTMLDivElement>(null)
  useOwnBarInstead(bar, isHere)
  const controls = usePlayer((store) => store.controls)
  const waiting = usePlayer((store) => isHere && store.state.waitingFor !== undefined)
  const shown = drag ?? at
  /** Starts the recording if another one, or none, is loaded: at its beginning, or `bySeconds` later. */
  const jump = (bySeconds: number) => (isHere ? controls?.jump(bySeconds) : playFrom(Math.max(0, bySeconds)))
  return (
    <div ref={bar} className={styles.recording} role="region" aria-label="Recording">
      <button
        type="button"
        className={cx(styles.recordingPlay, waiting && styles.waiting)}
        aria-label={runs ? 'Pause' : 'Listen to the recording'}
        aria-busy={waiting || undefined}
        onClick={() => (isHere ? controls?.toggle() : playFrom())}
      >
        <Icon of={runs ? PauseIcon : PlayIcon} size={30} filled />
      </button>
      <p className={styles.recordingPart}>{partAt(parts, shown)?.title ?? title}</p>
      <div className={styles.recordingLine}>
        <Suspense>
          <Slider
            label="Position in the recording"
            value={shown}
            max={length}
            largeStep={15}
            valueText={(to) => spokenPosition(to, length)}
            onChange={setDrag}
            onCommit={(to) => {
              setDrag(undefined)
              playFrom(to)
            }}
            borders={parts.slice(1).map((part) => part.seconds)}
            disabled={length <= 0}
            tone="title"
          />
        </Suspense>
      </div>
      <div className={styles.recordingTools}>
        <p>
          {clock(shown)}
          {length > 0 && ` of ${clock(length)}`}
        </p>
        <div className={styles.recordingButtons}>
          <JumpButton direction="back" disabled={isHere && !controls} onJump={jump} />
          <JumpButton direction="forward" disabled={isHere && !controls} onJump={jump} />
          <SpeedButton disabled={!isHere} />
        </div>
      </div>
    </div>
  )
}

/** The parts of a recording: each entry plays it from there. */
export function RecordingParts({ address, seconds, parts }: Omit<RecordingBarProps, 'title'>) {
  const { isHere, at, playFrom } = useRecording(address, seconds)
  const current = isHere ? partAt(parts, at) : undefined
  return (
    <ol role="list" className={styles.parts}>
      {parts.map((part) => (
        <li key={part.seconds}>
          <button
            type="button"
            aria-current={part === current || undefined}
            onClick={() => playFrom(part.seconds)}
          >
            <span className={styles.partAt}>{clock(part.seconds)}</span>
            {part.title}
          </button>
        </li>
      ))}
    </ol>
  )
}

interface RecordingQuestionProps extends Pick<RecordingBarProps, 'address'> {
  /** HTML without tags. */
  question: string
  /** What it begins; undefined for a question within a part. */
  part: Part | undefined
  isRunning: boolean
}

/** A question in the text of a recording. One that begins a part plays it from there. */
export function RecordingQuestion({ address, question, part, isRunning }: RecordingQuestionProps) {
  const { playFrom } = useRecording(address, 0)
  const words = <b dangerouslySetInnerHTML={{ __html: question }} />
  return (
    <p className={styles.question}>
      {part ? (
        <button type="button" aria-current={isRunning || undefined} onClick={() => playFrom(part.seconds)}>
          <span className={styles.partAt}>{clock(part.seconds)}</span> {words}
        </button>
      ) : (
        words
      )}
    </p>
  )
}

/** The part that the player has reached, while it has this recording. */
export function useRunningPart(address: string, parts: readonly Part[]): Part | undefined {
  const isHere = usePlayer((store) => sameTitle(store.state.title, { slug: address, kind: 'recording' }))
  return usePosition(({ seconds }) => (isHere ? partAt(parts, seconds) : undefined))
}

/** Plays a recording beside its name in a list. */
export function PlayRecording({ address, title }: Pick<RecordingBarProps, 'address' | 'title'>) {
  const { isHere, runs, playFrom } = useRecording(address, 0)
  const controls = usePlayer((store) => store.controls)
  return (
    <Button
      look="quiet"
      aria-label={`${runs ? 'Pause' : 'Play'} ${title}`}
      onClick={() => (isHere ? controls?.toggle() : playFrom())}
    >
      <Icon of={runs ? PauseIcon : PlayIcon} size={18} filled />
      {runs ? 'Pause' : 'Play'}
    </Button>
  )
}

const partAt = (parts: readonly Part[], seconds: number): Part | undefined =>
  parts.findLast((part) => part.seconds <= seconds)

function useRecording(address: string, seconds: number) {
  const ref: TitleRef = { slug: address, kind: 'recording' }
  const isHere = usePlayer((store) => sameTitle(store.state.title, ref))
  const runs = usePlayer((store) => wantsSound(store.state)) && isHere
  const position = usePosition()
  return {
    /** The player has this recording open. */
    isHere,
    runs,
    at: isHere ? position.seconds : 0,
    length: (isHere && position.duration) || seconds,
    /** Has to be called in the press itself. */
    playFrom: (at?: number) =>
      void listenTo(ref, () => undefined, at === undefined ? undefined : { chapter: 1, seconds: at }),
  }
}

/** The mini player stays away while the bar is in view. */
function useOwnBarInstead(bar: { current: HTMLElement | null }, isHere: boolean) {
  useEffect(() => {
    const element = bar.current
    if (!isHere || !element) return undefined
    const show = (display: 'inline' | 'mini') => {
      if (usePlayer.getState().display !== 'full') usePlayer.setState({ display })
    }
    const watch = new IntersectionObserver(([entry]) => show(entry?.isIntersecting ? 'inline' : 'mini'), {
      threshold: 0.5,
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      show('mini')
    }
  }, [bar, isHere])
}

/** The speeds that one press after the other chooses. */
const PRESSED_SPEEDS = [1, 1.2, 1.5, 2, 0.8]

function SpeedButton({ disabled }: { disabled: boolean }) {
  const speed = usePlayer((store) => store.state.speed)
  const controls = usePlayer((store) => store.controls)
  const next = PRESSED_SPEEDS[(PRESSED_SPEEDS.indexOf(speed) + 1) % PRESSED_SPEEDS.length]!
  return (
    <button
      type="button"
      className={styles.recordingSpeed}
      aria-label={`Speed, ${speed} times`}
      disabled={disabled}
      onClick={() => controls?.setSpeed(next)}
    >
      {speedLabel(speed)}
    </button>
  )
}
