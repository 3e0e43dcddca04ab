import { useState } from 'react'
import { QUICK_SLEEP_MINUTES, SLEEP_HOURS, SLEEP_MINUTES } from '#contract/player-limits.ts'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Chip } from '#ui/Chip.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import styles from './sheets.module.css'
import { sheetStyle, type SheetPartProps } from './sheet-style.ts'
import { changeLastSleep, lastSleep } from './settings.ts'
import { ADDED_MINUTES, type SleepState, type SleepChoice } from './sleep-timer.ts'
import { usePlayer } from './store.ts'
import { useTitleTheme } from './use-player.ts'

/** PLAY-20: sets, shows and clears a timer. */
export function SleepSheet({ open, onOpenChange }: SheetPartProps) {
  const title = usePlayer((store) => store.state.title)
  const theme = useTitleTheme(title)
  const timer = usePlayer((store) => store.player?.sleep)
  const sleep = usePlayer((store) => store.sleep)
  const setsVolume = usePlayer((store) => store.player?.engine.setsVolume ?? true)
  const last = lastSleep()
  const start = (choice: SleepChoice) => {
    changeLastSleep(choice)
    timer?.start(choice)
    onOpenChange(false)
  }
  const isQuick = (minutes: number) => sleep.choice?.kind === 'minutes' && sleep.choice.minutes === minutes

  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Sleep timer"
      side="bottom"
      tone="title"
      style={sheetStyle(theme)}
    >
      {sleep.choice && (
        <div className={styles.running}>
          <p>{leftWords(sleep)}</p>
          {sleep.choice.kind !== 'nextChapter' && (
            <Button tone="title" onClick={() => timer?.add()}>
              {sleep.choice.kind === 'chapter' ? 'One chapter more' : `Add ${ADDED_MINUTES} min`}
            </Button>
          )}
          <Button look="quiet" tone="title" onClick={() => timer?.clear()}>
            Turn off timer
          </Button>
        </div>
      )}
      <div className={styles.chips} role="group" aria-label="Stop after">
        {last && (
          <Chip pressed={false} onClick={() => start(last)}>
            Last time: {choiceWords(last)}
          </Chip>
        )}
        {QUICK_SLEEP_MINUTES.map((minutes) => (
          <Chip key={minutes} pressed={isQuick(minutes)} onClick={() => start({ kind: 'minutes', minutes })}>
            {minutes} min
          </Chip>
        ))}
        <Chip pressed={sleep.choice?.kind === 'chapter'} onClick={() => start({ kind: 'chapter' })}>
          End of chapter
        </Chip>
        <Chip pressed={sleep.choice?.kind === 'nextChapter'} onClick={() => start({ kind: 'nextChapter' })}>
          End of next chapter
        </Chip>
      </div>
      {timer && !setsVolume && (
        <p className={styles.hint}>This device sets its own volume, so the sound stops without fading.</p>
      )}
      <CustomTime onSet={(minutes) => start({ kind: 'minutes', minutes })} />
    </Sheet>
  )
}

function CustomTime({ onSet }: { onSet: (minutes: number) => void }) {
  const [hours, setHours] = useState(0)
  const [minutes, setMinutes] = useState(20)
  const total = hours * 60 + minutes
  return (
    <form
      className={styles.custom}
      onSubmit={(event) => {
        event.preventDefault()
        if (total > 0) onSet(total)
      }}
    >
      <SelectField label="Hours" value={hours} onChange={(event) => setHours(Number(event.target.value))}>
        {SLEEP_HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {hour}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Minutes"
        value={minutes}
        onChange={(event) => setMinutes(Number(event.target.value))}
      >
        {SLEEP_MINUTES.map((minute) => (
          <option key={minute} value={minute}>
            {minute}
          </option>
        ))}
      </SelectField>
      <Button
        type="submit"
        tone="title"
        {...(total === 0 ? { disabledReason: 'Choose at least five minutes' } : {})}
      >
        Set timer
      </Button>
    </form>
  )
}

/** "1 h 5 min", "end of chapter". */
function choiceWords(choice: SleepChoice): string {
  if (choice.kind !== 'minutes') return choice.kind === 'chapter' ? 'end of chapter' : 'end of next chapter'
  const [hours, minutes] = [Math.floor(choice.minutes / 60), choice.minutes % 60]
  if (!hours) return `${minutes} min`
  // The quick choice says 60 min.
  return choice.minutes === 60 ? '60 min' : `${hours} h${minutes ? ` ${minutes} min` : ''}`
}

function leftWords({ choice, leftSeconds }: SleepState): string {
  if (choice?.kind === 'nextChapter') return 'Stops at the end of the next chapter'
  if (leftSeconds === undefined) return 'Stops at the end of this chapter'
  return `Stops in ${plural(Math.ceil(leftSeconds / 60), 'minute')}`
}
