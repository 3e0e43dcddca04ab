import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { ofSound, sentenceAt } from '#features/in-step/in-step.ts'
import { showPlayerWindow } from '#features/player/lazy.ts'
import { JumpButton, usePlayAction } from '#features/player/PlayerButtons.tsx'
import { usePosition } from '#features/player/position.ts'
import { usePlayer } from '#features/player/store.ts'
import { useChapter, useStateWords, useTitleTheme } from '#features/player/use-player.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import { themeStyle } from '#ui/title-theme.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import type { Engine } from './engine.ts'
import type { ReadingPosition } from './model.ts'
import styles from './reading.module.css'
import type { Along } from './use-read-along.ts'

interface ReadAlongProps {
  along: Along
  engine: Engine
  audioBook: string
  spot: ReadingPosition | undefined
  onStop: () => void
}

/** Ticks come four times a second: a sentence is marked when it begins before the next one. */
const AHEAD_SECONDS = 0.12

/** Marks the spoken sentence, turns the pages, and shows the player as a thin bar in place of the foot of the page. */
export function ReadAlong({ along, engine, audioBook, spot, onStop }: ReadAlongProps) {
  const title = usePlayer(({ state }) => state.title)
  const isHere = title?.kind === 'book' && title.slug === audioBook
  const chapters = isHere ? title.chapters : undefined
  const inStep = useMemo(() => chapters && ofSound(along.inStep, chapters), [along, chapters])
  const sentence = usePosition(({ chapter, seconds }) =>
    inStep && chapter > 0 ? sentenceAt(inStep, { chapter, seconds: seconds + AHEAD_SECONDS }) : undefined,
  )
  const [isAway, setIsAway] = useState(false)
  const cfi = sentence?.cfi ?? ''

  useEffect(() => {
    engine.spoken.show(sentence?.cfi ? sentence : undefined)
  }, [engine, sentence])
  useEffect(() => () => engine.spoken.show(undefined), [engine])

  useEffect(() => {
    if (cfi && !isAway && !engine.spoken.isInView(cfi)) void engine.spoken.bring(cfi)
  }, [engine, cfi, isAway])
  // The reader turned a page, or came back to the sentence.
  const [seen, setSeen] = useState(spot)
  if (spot !== seen && !engine.spoken.isBringing()) {
    setSeen(spot)
    setIsAway(cfi !== '' && !engine.spoken.isInView(cfi))
  }

  return (
    <>
      {isAway && cfi && (
        <button
          type="button"
          className={styles.backToSound}
          onClick={() => {
            setIsAway(false)
            void engine.spoken.bring(cfi)
          }}
        >
          <Icon of={ArrowLeftIcon} size={20} />
          Back to where it plays
        </button>
      )}
      <AlongBar isLoading={!isHere} about={sentence?.isCertain === false} onStop={onStop} />
    </>
  )
}

interface AlongBarProps {
  isLoading: boolean
  /** The place of the sentence is an estimate. */
  about: boolean
  onStop: () => void
}

function AlongBar({ isLoading, about, onStop }: AlongBarProps) {
  const title = usePlayer(({ state }) => state.title)
  const controls = usePlayer((store) => store.controls)
  const isInOtherWindow = usePlayer((store) => store.isInOtherWindow)
  const waits = usePlayer(({ state }) => state.waitingFor !== undefined)
  const speed = usePlayer(({ state }) => state.speed)
  const chapter = useChapter()
  const { words } = useStateWords()
  const minutes = usePosition(({ duration, seconds }) => Math.ceil((duration - seconds) / speed / 60))
  const share = usePosition(({ duration, seconds }) => (duration > 0 ? seconds / duration : 0))
  const action = usePlayAction()
  const theme = useTitleTheme(title)
  if (isLoading || !title)
    return (
      <section className={styles.along} aria-label="Player" aria-busy="true">
        <p className={styles.alongWords}>Opening the sound</p>
      </section>
    )
  const line = waits
    ? words
    : [about && 'About here', `${minutes} min left`, title.narrator].filter(Boolean).join(', ')
  const names = (
    <>
      <b>{chapter?.title ?? title.title}</b>
      <span>{line}</span>
      <VisuallyHidden>{isInOtherWindow ? 'Show the player’s window' : 'Open the player'}</VisuallyHidden>
    </>
  )
  return (
    <section className={styles.along} style={themeStyle(theme)} aria-label="Player">
      <ProgressLine share={share} tone="title" thin className={styles.alongLine} />
      <IconButton
        label={action.label}
        icon={<Icon of={action.picture} size={28} filled />}
        onClick={() => controls?.toggle()}
      />
      {isInOtherWindow ? (
        <button type="button" className={styles.alongWords} onClick={showPlayerWindow}>
          {names}
        </button>
      ) : (
        <Link to="/player/$slug" params={{ slug: title.slug }} className={styles.alongWords}>
          {names}
        </Link>
      )}
      <JumpButton direction="back" disabled={false} onJump={(seconds) => controls?.jump(seconds)} />
      <IconButton
        label="Stop listening"
        icon={<Icon of={XIcon} />}
        onClick={() => {
          controls?.pause()
          onStop()
        }}
      />
    </section>
  )
}
