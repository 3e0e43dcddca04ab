import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import styles from './Button.module.css'
import { cx } from './cx.ts'
import { createLink } from '@tanstack/react-router'

interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, 'style'> {
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

export type ButtonLook = 'beak' | 'solid' | 'quiet' | 'text' | 'danger'

interface ButtonStyle {
  /** Beak is the one thing to do next: at most one a screen. */
  look?: ButtonLook | undefined
  /** `title` on a band or panel in a title's colours. */
  tone?: 'page' | 'title' | undefined
  block?: boolean | undefined
  /** 56 high: the pay button and its equals. */
  tall?: boolean | undefined
}

/** The button's looks for anything that is not a button: a router link, a download anchor. */
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

/** A plain anchor with a button's looks: other sites, mail addresses, files. */
export function AnchorButton({ look, tone, block, tall, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={buttonClass({ look, tone, block, tall }, className)}>
      {children}
    </a>
  )
}

/** A router link with a button's looks: takes what `<Link>` takes (`to`, `params`, `search`) and `look`, `tone`. */
export const LinkButton = createLink(AnchorButton)
