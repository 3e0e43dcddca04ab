import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './IconButton.module.css'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  label: string
  icon: ReactNode
  /** A small count on the corner; hidden if 0. Include it in the label too. */
  badge?: number | undefined
  /** 52 px instead of 44: the player's transport. */
  large?: boolean | undefined
}

export function IconButton({
  label,
  icon,
  badge = 0,
  large,
  type = 'button',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button {...rest} type={type} aria-label={label} className={iconButtonClass({ large }, className)}>
      {icon}
      <IconBadge count={badge} />
    </button>
  )
}

/** The same styles for a link with only an icon; give it an `aria-label`. */
export const iconButtonClass = (
  { large }: { large?: boolean | undefined } = {},
  ...more: (string | undefined)[]
) => cx(styles.button, large && styles.large, ...more)

export function IconBadge({ count }: { count: number }) {
  if (count < 1) return null
  return (
    <span className={styles.badge} aria-hidden="true">
      {count > 99 ? '99+' : count}
    </span>
  )
}
