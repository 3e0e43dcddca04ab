import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ComponentProps } from 'react'
import styles from './Chip.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

export interface ChipProps extends Omit<ComponentProps<'button'>, 'style'> {
  pressed: boolean
}

/** Toggles: a tick stands before the words while it is on. */
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
