import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './Display.module.css'

export interface DisplayProps extends Omit<ComponentProps<'h2'>, 'style'> {
  as?: 'h1' | 'h2' | 'h3' | 'h4' | 'p' | undefined
  /** xl: home headline only. lg: page and book titles. md: sections. sm: dialogs, features. */
  size?: 'xl' | 'lg' | 'md' | 'sm' | undefined
}

/** Newsreader headings: the only place where their sizes stand. */
export function Display({ as: Tag = 'h2', size = 'md', className, children, ...rest }: DisplayProps) {
  return (
    <Tag {...rest} className={cx(styles.display, styles[size], className)}>
      {children}
    </Tag>
  )
}
