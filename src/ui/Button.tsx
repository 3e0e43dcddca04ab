import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import styles from './Button.module.css'
import { cx } from './cx.ts'
import { createLink } from '@tanstack/react-router'

interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'style'> {
  /** Shows three dots in place of the label, keeps the width, and ignores further clicks. */
  busy?: boolean | undefined
  /** Why the button is disabled. Shown next to it; the button can still be focused by keyboard. */
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
    // Also prevents a second click on "submit" from sending the form twice.
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

export type ButtonLook = 'beak' | 'solid' | 'quiet' | 'text' | 'danger'

interface ButtonStyle {
  /** `beak` is the primary action: at most one per screen. */
  look?: ButtonLook | undefined
  /** `title` on a band or panel in a title's colours. */
  tone?: 'page' | 'title' | undefined
  block?: boolean | undefined
  /** 56 px high: the pay button and similar ones. */
  tall?: boolean | undefined
}

/** The button's styles for other elements: a router link, a download link. */
export function buttonClass(
  { look = 'solid', tone = 'page', block, tall }: ButtonStyle,
  ...more: (string | undefined)[]
) {
  const skin = tone === 'title' ? onTitle[look] : styles[look]
  return cx(
    styles.button,
    look === 'text' && styles.text,
    skin,
    block && styles.block,
    tall && styles.tall,
    ...more,
  )
}

const onTitle: Record<ButtonLook, string | undefined> = {
  beak: styles.titleFill,
  solid: styles.titleFill,
  danger: styles.titleFill,
  quiet: styles.titleQuiet,
  text: styles.titleText,
}

interface AnchorButtonProps extends ButtonStyle, Omit<ComponentProps<'a'>, 'style'> {}

/** A plain link styled as a button: other sites, email addresses, files. */
export function AnchorButton({ look, tone, block, tall, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={buttonClass({ look, tone, block, tall }, className)}>
      {children}
    </a>
  )
}

/**
 * A router link styled as a button: takes the props of `<Link>` (`to`, `params`, `search`), `look` and
 * `tone`.
 */
export const LinkButton = createLink(AnchorButton)
