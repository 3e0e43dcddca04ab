import type { CSSProperties } from 'react'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'

/** A sheet stands on the container colour, so what lies on it sinks into the band's. */
export const sheetStyle = (theme: TitleTheme): CSSProperties => ({
  ...themeStyle(theme),
  '--row-current': 'var(--title-bg)',
})

export interface SheetPartProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}
