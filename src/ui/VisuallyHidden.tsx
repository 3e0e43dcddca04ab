import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span {...rest} className={cx('visually-hidden', className)} />
}
