import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './layout.module.css'
import { themeStyle, type TitleTheme } from './title-theme.ts'

export interface BandProps extends Omit<ComponentProps<'section'>, 'ref'> {
  theme: TitleTheme
  as?: 'section' | 'div' | 'article' | 'li' | undefined
}

/** A full-width surface in a title's colours; sets `--title-bg --title-container --title-text --title-muted` for everything inside. */
export function Band({ theme, as: Tag = 'section', className, style, ...rest }: BandProps) {
  return <Tag {...rest} className={cx(styles.band, className)} style={{ ...themeStyle(theme), ...style }} />
}
