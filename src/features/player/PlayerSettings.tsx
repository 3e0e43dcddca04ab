import type { ReactNode } from 'react'
import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import { SelectField } from '#ui/Field.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import styles from './player.module.css'
import { changePlayerSettings, JUMP_CHOICES, usePlayerSettings } from './settings.ts'

/** `more`: settings of other features, such as removing finished books from the device. */
export function PlayerSettings({ more }: { more?: ReactNode }) {
  const {
    keys,
    headsetChapters,
    onePlace,
    rewinds,
    skipsCredits,
    bookmarksEarlier,
    backSeconds,
    forwardSeconds,
  } = usePlayerSettings()
  return (
    <div className="stack gap-3">
      <div className={styles.jumps}>
        <JumpField
          label="Back"
          seconds={backSeconds}
          onChange={(seconds) => changePlayerSettings({ backSeconds: seconds })}
        />
        <JumpField
          label="Forward"
          seconds={forwardSeconds}
          onChange={(seconds) => changePlayerSettings({ forwardSeconds: seconds })}
        />
      </div>
      <Switch
        label="Go back further after a longer pause"
        note="5 seconds after a minute, 15 after an hour, 30 after a day."
        checked={rewinds}
        onChange={(event) => changePlayerSettings({ rewinds: event.target.checked })}
      />
      <Switch
        label="Skip the opening credits"
        note="A new book begins with its text, where we know where that is. You can undo it."
        checked={skipsCredits}
        onChange={(event) => changePlayerSettings({ skipsCredits: event.target.checked })}
      />
      <Switch
        label="Bookmark 15 seconds earlier"
        note="For the sentence you have just heard."
        checked={bookmarksEarlier}
        onChange={(event) => changePlayerSettings({ bookmarksEarlier: event.target.checked })}
      />
      <Switch
        label="Keyboard shortcuts for the player"
        note="Space plays, arrows jump; ? in the player lists them all."
        checked={keys}
        onChange={(event) => changePlayerSettings({ keys: event.target.checked })}
      />
      <Switch
        label="Headset buttons change the chapter"
        note="When this is off, next and previous on a headset or in the car jump as Back and Forward do."
        checked={headsetChapters}
        onChange={(event) => changePlayerSettings({ headsetChapters: event.target.checked })}
      />
      <Switch
        label="Play in one place at a time"
        note="Starting on one device pauses the other, and an open player moves to where you last listened. Turn this off here if two of you share an account."
        checked={onePlace}
        onChange={(event) => changePlayerSettings({ onePlace: event.target.checked })}
      />
      {more}
      <p className="quiet">
        A book picks up {RESUME_REWIND_SECONDS} seconds before the place where you left it. Speed is
        remembered for each book.
      </p>
    </div>
  )
}

function JumpField({
  label,
  seconds,
  onChange,
}: {
  label: string
  seconds: number
  onChange: (seconds: number) => void
}) {
  return (
    <SelectField label={label} value={seconds} onChange={(event) => onChange(Number(event.target.value))}>
      {JUMP_CHOICES.map((choice) => (
        <option key={choice} value={choice}>
          {choice} seconds
        </option>
      ))}
    </SelectField>
  )
}
