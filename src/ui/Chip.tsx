import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ComponentProps } from 'react'
import styles from './Chip.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { createLink } from '@tanstack/react-router'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'

interface ChipProps extends Omit<ComponentProps<'button'>, 'style'> {
  pressed: boolean
}

/** A toggle with a tick before the label while it is on. */
export function Chip({ pressed, className, children, ...rest }: ChipProps) {
  return (
    <button {...rest} type="button" aria-pressed={pressed} className={cx(styles.target, className)}>
      <span className={cx(styles.pill, pressed && styles.on)}>
        {pressed && <Icon of={CheckIcon} size={18} />}
        {children}
      </span>
    </button>
  )
}

interface AnchorChipProps extends Omit<ComponentProps<'a'>, 'style'> {
  /** `title` on a title band: filled with the container colour, as on the book page. */
  tone?: 'page' | 'title' | undefined
}

function AnchorChip({ tone = 'page', className, children, ...rest }: AnchorChipProps) {
  return (
    <a {...rest} className={cx(styles.target, className)}>
      <span className={cx(styles.pill, tone === 'title' && styles.onTitle)}>{children}</span>
    </a>
  )
}

/** A chip that is a router link; takes the props of `<Link>`. */
export const LinkChip = createLink(AnchorChip)

interface RemovableChipProps extends Omit<ComponentProps<'button'>, 'style' | 'children' | 'aria-label'> {
  label: string
}

export function RemovableChip({ label, className, ...rest }: RemovableChipProps) {
  return (
    <button {...rest} type="button" aria-label={`Remove ${label}`} className={cx(styles.target, className)}>
      <span className={cx(styles.pill, styles.on)}>
        {label}
        <Icon of={XIcon} size={16} />
      </span>
    </button>
  )
}
