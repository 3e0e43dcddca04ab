import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { buttonClass, type ButtonStyle } from './button-class.ts'
import styles from './Button.module.css'
import { cx } from './cx.ts'

export interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'style'> {
  /** Shows three dots in place of the words, keeps the width, and ignores further presses. */
  busy?: boolean | undefined
  /** Why it cannot be pressed. Shown beside it, and the button stays reachable by keyboard. */
  disabledReason?: ReactNode
}

export function Button({
  look,
  tone,
  block,
  tall,
  busy = false,
  disabledReason,
  disabled,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId()

  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Also keeps a second press on "submit" from sending the form twice.
    if (busy || disabledReason || rest['aria-disabled']) event.preventDefault()
    else onClick?.(event)
  }

  const button = (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, tone, block, tall }, className)}
      disabled={disabled && !disabledReason}
      aria-disabled={disabledReason || busy || rest['aria-disabled'] ? true : undefined}
      aria-describedby={disabledReason ? reasonId : rest['aria-describedby']}
      aria-busy={busy || undefined}
      onClick={press}
    >
      <span className={styles.label}>{children}</span>
      {busy && (
        <span className={styles.dots} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
    </button>
  )

  if (!disabledReason) return button
  return (
    <span className={cx(styles.withReason, block && styles.block, tone === 'title' && styles.onTitle)}>
      {button}
      <span id={reasonId} className={styles.reason}>
        {disabledReason}
      </span>
    </span>
  )
}
