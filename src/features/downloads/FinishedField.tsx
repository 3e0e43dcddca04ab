import { useEffect, useState } from 'react'
import { SelectField } from '#ui/Field.tsx'
import { openedDownloads } from './lazy.ts'

const CHOICES: readonly (readonly [days: number, label: string])[] = [
  [0, 'Never'],
  [1, 'After a day'],
  [7, 'After a week'],
  [30, 'After a month'],
]

export function FinishedField() {
  const [days, setDays] = useState(0)
  useEffect(() => {
    const read = async () => setDays((await (await openedDownloads())?.finishedDays()) ?? 0)
    void read()
  }, [])
  const change = (next: number) => {
    setDays(next)
    void saveDays(next)
  }
  return (
    <SelectField
      label="Remove finished titles"
      hint="They stay yours, and go sooner only when the device is full."
      value={days}
      onChange={({ target }) => change(Number(target.value))}
    >
      {CHOICES.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

const saveDays = async (days: number) => (await openedDownloads())?.setFinishedDays(days)
