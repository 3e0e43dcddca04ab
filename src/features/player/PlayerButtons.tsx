import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { IconButton } from '#ui/IconButton.tsx'
import { usePlayerSettings } from './settings.ts'
import { usePlayer, wantsSound } from './store.ts'

interface JumpButtonProps {
  direction: 'back' | 'forward'
  large?: boolean
  disabled: boolean
  onJump: (bySeconds: number) => void
}

/** Jumps by the seconds in the listener's settings (PLAY-02: 15 s by default). Used by both players. */
export function JumpButton({ direction, large = false, disabled, onJump }: JumpButtonProps) {
  const { backSeconds, forwardSeconds } = usePlayerSettings()
  const isBack = direction === 'back'
  const seconds = isBack ? backSeconds : forwardSeconds
  return (
    <IconButton
      large={large}
      label={`${isBack ? 'Back' : 'Forward'} ${seconds} seconds`}
      icon={<Jump direction={direction} seconds={seconds} size={large ? 38 : 30} />}
      disabled={disabled}
      onClick={() => onJump(isBack ? -seconds : seconds)}
    />
  )
}

/** The play button's current action; shared with the mini player. */
export function usePlayAction() {
  const runs = usePlayer((store) => wantsSound(store.state))
  const fading = usePlayer((store) => store.sleep.fading && !store.isInOtherWindow)
  if (runs && fading) return { label: 'Keep playing', picture: PlayIcon }
  return runs ? { label: 'Pause', picture: PauseIcon } : { label: 'Play', picture: PlayIcon }
}

interface JumpProps {
  direction: 'back' | 'forward'
  seconds: number
  size?: number | undefined
}

/** Our own icon: the seconds, with an arrow in their direction. */
function Jump({ direction, seconds, size = 30 }: JumpProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 34 34"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={direction === 'back' ? BACK : FORWARD} />
      <text
        x="17"
        y="21.8"
        textAnchor="middle"
        fill="currentColor"
        stroke="none"
        style={{ font: '600 11px var(--font-text)' }}
      >
        {seconds}
      </text>
    </svg>
  )
}

const BACK = 'M11 7.5A12 12 0 1 1 6.2 12M11.5 2.8 11 7.7l5 .6'
const FORWARD = 'M23 7.5A12 12 0 1 0 27.8 12M22.5 2.8l.5 4.9-5 .6'
