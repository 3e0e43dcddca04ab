import type { ComponentProps } from 'react'
import styles from './Chip.module.css'
import { cx } from './cx.ts'

export interface AnchorChipProps extends Omit<ComponentProps<'a'>, 'style'> {
  /** On a title band: filled with the container colour, as on the book page. */
  tone?: 'page' | 'title' | undefined
}

export function AnchorChip({ tone = 'page', className, children, ...rest }: AnchorChipProps) {
  return (
    <a {...rest} className={cx(styles.target, className)}>
      <span className={cx(styles.pill, tone === 'title' && styles.onTitle)}>{children}</span>
    </a>
  )
}
