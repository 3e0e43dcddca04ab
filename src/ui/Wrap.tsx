import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

interface WrapProps extends ComponentProps<'div'> {
  as?: 'div' | 'section' | 'header' | 'footer' | 'nav' | undefined
}

/** The 1200 px container with its gutters. */
export function Wrap({ as: Tag = 'div', className, ...rest }: WrapProps) {
  return <Tag {...rest} className={cx('wrap', className)} />
}
