import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { SkipBackIcon } from '@phosphor-icons/react/dist/csr/SkipBack'
import { SkipForwardIcon } from '@phosphor-icons/react/dist/csr/SkipForward'
import { useId } from 'react'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { JumpButton } from './JumpButton.tsx'
import { usePlayer, wantsSound } from './store.ts'
import styles from './transport.module.css'

/** Previous, back, play, forward, next. */
export function Transport() {
  const controls = usePlayer((store) => store.controls)
  const several = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 1)
  return (
    <div className={styles.row}>
      {several && (
        <IconButton
          large
          label="Previous chapter"
          icon={<Icon of={SkipBackIcon} size={26} />}
          onClick={() => controls?.previousChapter()}
        />
      )}
      <JumpButton direction="back" large />
      <PlayButton />
      <JumpButton direction="forward" large />
      {several && (
        <IconButton
          large
          label="Next chapter"
          icon={<Icon of={SkipForwardIcon} size={26} />}
          onClick={() => controls?.nextChapter()}
        />
      )}
    </div>
  )
}

/** PLAY-16: disabled, with the reason beside it, where there is nothing to play. */
function PlayButton() {
  const controls = usePlayer((store) => store.controls)
  const hasSound = usePlayer((store) => (store.state.title?.chapters.length ?? 0) > 0)
  const waiting = usePlayer((store) => store.state.waitingFor !== undefined)
  const { label, picture } = usePlayAction()
  const reason = useId()
  return (
    <span className={styles.play}>
      <button
        type="button"
        className={cx(styles.go, waiting && styles.waiting)}
        aria-label={label}
        aria-busy={waiting}
        disabled={!hasSound}
        aria-describedby={hasSound ? undefined : reason}
        onClick={() => controls?.toggle()}
      >
        <Icon of={picture} size={32} filled />
      </button>
      {!hasSound && (
        <span id={reason} className={styles.reason}>
          There’s nothing to play yet
        </span>
      )}
    </span>
  )
}

/** The play button's action now; shared with the mini player. */
export function usePlayAction() {
  const runs = usePlayer((store) => wantsSound(store.state))
  const fading = usePlayer((store) => store.sleep.fading && !store.isInOtherWindow)
  if (runs && fading) return { label: 'Keep playing', picture: PlayIcon }
  return runs ? { label: 'Pause', picture: PauseIcon } : { label: 'Play', picture: PlayIcon }
}
