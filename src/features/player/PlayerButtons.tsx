import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { IconButton } from '#ui/IconButton.tsx'
import { Jump } from '#ui/Jump.tsx'
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
