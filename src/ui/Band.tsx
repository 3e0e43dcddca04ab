import { type ComponentProps, useLayoutEffect } from 'react'
import { cx } from './cx.ts'
import styles from './layout.module.css'
import { themeStyle, type TitleTheme } from './title-theme.ts'
import { create } from 'zustand'

const useBandStore = create<{ theme: TitleTheme | null }>()(() => ({ theme: null }))
export const useCurrentBand = () => useBandStore(({ theme }) => theme)

/**
 * Puts the header into a title's colours while the calling screen shows a band directly below it. On the server use the
 * header's `band` prop: an effect does not run there.
 */
export function useBand(theme: TitleTheme | null | undefined) {
  // Layout effect: header and band must change their colour in the same frame.
  useLayoutEffect(() => {
    if (!theme) return undefined
    useBandStore.setState({ theme })
    return () => {
      // The next screen may have set its own band first.
      if (useBandStore.getState().theme === theme) useBandStore.setState({ theme: null })
    }
  }, [theme])
}

interface BandProps extends Omit<ComponentProps<'section'>, 'ref'> {
  theme: TitleTheme
  as?: 'section' | 'div' | 'article' | undefined
}

/** A full-width surface in a title's colours; sets `--title-bg --title-container --title-text --title-muted` for everything inside. */
export function Band({ theme, as: Tag = 'section', className, style, ...rest }: BandProps) {
  return <Tag {...rest} className={cx(styles.band, className)} style={{ ...themeStyle(theme), ...style }} />
}
