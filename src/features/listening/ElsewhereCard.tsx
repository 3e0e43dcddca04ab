import { DeviceMobileIcon } from '@phosphor-icons/react/dist/csr/DeviceMobile'
import { clock } from '#format/clock.ts'
import { Icon } from '#ui/Icon.tsx'
import type { PlayingElsewhere } from './other-device-model.ts'
import styles from './PlaceCard.module.css'

interface ElsewhereCardProps {
  elsewhere: PlayingElsewhere
  /** The chapter there, or the book where it is another one. */
  what: string
  onPlayHere: () => void
}

/** Another device took over playback. The play button takes it back, too. */
export function ElsewhereCard({ elsewhere, what, onPlayHere }: ElsewhereCardProps) {
  return (
    <section className={styles.elsewhere} aria-labelledby="playing-elsewhere" role="status">
      <Icon of={DeviceMobileIcon} />
      <h2 id="playing-elsewhere" className={styles.title}>
        Playing on {elsewhere.deviceName ?? 'another device'}
      </h2>
      <p className={styles.soft}>
        {what}, {clock(elsewhere.seconds)}. We paused it here.
      </p>
      <button type="button" className={styles.fill} onClick={onPlayHere}>
        Play here instead
      </button>
    </section>
  )
}
