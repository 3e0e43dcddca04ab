import { MinusIcon } from '@phosphor-icons/react/dist/csr/Minus'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { QUICK_SPEEDS, SPEEDS } from '#contract/player-limits.ts'
import { Chip } from '#ui/Chip.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Slider } from '#ui/Slider.tsx'
import styles from './sheets.module.css'
import { sheetStyle, type SheetPartProps } from './sheet-style.ts'
import { speedAt, speedIndex, speedLabel, stepSpeed } from './speed.ts'
import { usePlayer } from './store.ts'
import { useTitleTheme } from './use-player.ts'

/** PLAY-19: 0.5 to 2.0, heard at once, kept for the book. */
export function SpeedSheet({ open, onOpenChange }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const controls = usePlayer((store) => store.controls)
  const speed = usePlayer((store) => store.state.speed)
  const [slowest = 0.5] = SPEEDS
  const fastest = SPEEDS.at(-1) ?? 2
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Speed"
      side="bottom"
      tone="title"
      style={sheetStyle(theme)}
    >
      <div className={styles.stepper}>
        <IconButton
          label="Slower"
          icon={<Icon of={MinusIcon} />}
          disabled={speed <= slowest}
          onClick={() => controls?.setSpeed(stepSpeed(speed, -1))}
        />
        <output className={styles.value}>{speedLabel(speed)}</output>
        <IconButton
          label="Faster"
          icon={<Icon of={PlusIcon} />}
          disabled={speed >= fastest}
          onClick={() => controls?.setSpeed(stepSpeed(speed, 1))}
        />
      </div>
      <Slider
        label="Speed"
        // Along the list, whose steps are not equal.
        value={speedIndex(speed)}
        max={SPEEDS.length - 1}
        largeStep={5}
        valueText={(at) => `${speedAt(at)} times`}
        onChange={(at) => controls?.setSpeed(speedAt(at))}
        tone="title"
      />
      <div className={styles.chips} role="group" aria-label="Quick choices">
        {QUICK_SPEEDS.map((quick) => (
          <Chip key={quick} pressed={speed === quick} onClick={() => controls?.setSpeed(quick)}>
            {speedLabel(quick)}
          </Chip>
        ))}
      </div>
    </Sheet>
  )
}
