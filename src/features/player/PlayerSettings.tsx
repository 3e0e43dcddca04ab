import type { ReactNode } from 'react'
import { RESUME_REWIND_SECONDS } from '#contract/limits.ts'
import { Switch } from '#ui/Switch.tsx'
import { changePlayerSettings, usePlayerSettings } from './settings.ts'

/** For the settings screen. `more`: what others add, such as removing finished books from the device. */
export function PlayerSettings({ more }: { more?: ReactNode }) {
  const { keys, headsetChapters, onePlace } = usePlayerSettings()
  return (
    <div className="stack gap-3">
      <Switch
        label="Keyboard shortcuts for the player"
        note="Space plays, arrows jump; ? in the player lists them all."
        checked={keys}
        onChange={(event) => changePlayerSettings({ keys: event.target.checked })}
      />
      <Switch
        label="Headset buttons change the chapter"
        note="When this is off, next and previous on a headset or in the car jump 15 seconds."
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
