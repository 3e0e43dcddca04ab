import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './layout.module.css'

interface WrapProps extends ComponentProps<'div'> {
  as?: 'div' | 'section' | 'header' | 'footer' | 'nav' | undefined
}

/** The 1200 px container with its gutters. */
export function Wrap({ as: Tag = 'div', className, ...rest }: WrapProps) {
  return <Tag {...rest} className={cx('wrap', className)} />
}

/**
 * The panel below the header: menu, search, bag. Its positioned parent sets the header's end in
 * `--header-end`.
 */
export const PanelBelow = ({ children }: { children: ReactNode }) => (
  <div className={styles.panel}>{children}</div>
)
