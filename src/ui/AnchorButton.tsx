import type { ComponentProps } from 'react'
import { buttonClass, type ButtonStyle } from './button-class.ts'

export interface AnchorButtonProps extends ButtonStyle, Omit<ComponentProps<'a'>, 'style'> {}

/** A plain anchor with a button's looks: other sites, mail addresses, files. */
export function AnchorButton({ look, tone, block, tall, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={buttonClass({ look, tone, block, tall }, className)}>
      {children}
    </a>
  )
}
