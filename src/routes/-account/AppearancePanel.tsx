import { useState } from 'react'
import { RadioGroup } from '#ui/RadioGroup.tsx'
import { readScheme, writeScheme, type Scheme } from '#ui/scheme.ts'

/** Light, dark, or as the device says; kept on this device. */
export function AppearancePanel() {
  const [scheme, setScheme] = useState<Scheme>(readScheme)
  return (
    <RadioGroup
      legend="Appearance"
      hideLegend
      value={scheme}
      onChange={(next) => {
        setScheme(next)
        writeScheme(next)
      }}
      options={[
        { value: 'system', label: 'Match my device' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}
