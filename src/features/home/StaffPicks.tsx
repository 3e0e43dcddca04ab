import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { useState, type ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import styles from './StaffPicks.module.css'

interface StaffPicksProps {
  /** One pick each, in its own colours, which the arrows above it wear too. */
  picks: readonly { theme: TitleTheme; node: ReactNode }[]
}

/** The staff's picks, one at a time, turned by hand only (HOME-02). */
export function StaffPicks({ picks }: StaffPicksProps) {
  const [shown, setShown] = useState(0)
  const pick = picks[shown]
  const turn = (by: number) => setShown((shown + by + picks.length) % picks.length)
  return (
    <div className={styles.picks} role="group" aria-roledescription="carousel" aria-label="Staff picks">
      <div aria-live="polite" className={styles.pick}>
        {pick?.node}
      </div>
      {picks.length > 1 && (
        <div className={styles.arrows} style={pick && themeStyle(pick.theme)}>
          <IconButton label="Previous pick" icon={<Icon of={CaretLeftIcon} />} onClick={() => turn(-1)} />
          <IconButton label="Next pick" icon={<Icon of={CaretRightIcon} />} onClick={() => turn(1)} />
        </div>
      )}
    </div>
  )
}
