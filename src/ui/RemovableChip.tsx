import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import type { ComponentProps } from 'react'
import styles from './Chip.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

export interface RemovableChipProps extends Omit<
  ComponentProps<'button'>,
  'style' | 'children' | 'aria-label'
> {
  label: string
}

/** An active filter: pressing it takes it away. */
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
