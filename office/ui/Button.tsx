import { Link, type LinkProps } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useId } from 'react'
import type { Icon as Glyph } from '@phosphor-icons/react/dist/lib/types'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { useOnline } from '#net/use-online.ts'

interface Look {
  /** `beak` is the next thing to do: one a screen. */
  readonly look?: 'beak' | 'solid' | 'quiet' | 'danger'
  readonly compact?: boolean | undefined
  readonly wide?: boolean | undefined
  readonly icon?: Glyph | undefined
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'style'> {
  readonly busy?: boolean
  /** Why it can't be pressed; shown below it. It keeps the focus. */
  readonly why?: ReactNode
  /** It sends a call, so without a connection it says so. */
  readonly sends?: boolean
}

export function Button({
  look = 'quiet',
  compact,
  wide,
  icon,
  busy = false,
  why,
  sends,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const whyId = useId()
  const isOffline = !useOnline() && sends
  const reason = isOffline ? 'Needs a connection' : why
  const isOff = Boolean(reason) || busy
  const button = (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, compact, wide }, className)}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      aria-describedby={reason ? whyId : rest['aria-describedby']}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon && <Icon of={icon} size={18} />}
      {children}
    </button>
  )
  if (!reason) return button
  return (
    <span>
      {button}
      <span id={whyId} className="why">
        {reason}
      </span>
    </span>
  )
}

export const buttonClass = ({ look = 'quiet', compact, wide }: Look, className?: string) =>
  cx('button', look, compact && 'compact', wide && 'wide', className)

export function LinkButton({
  look = 'quiet',
  compact,
  wide,
  icon,
  children,
  ...link
}: Look & Pick<LinkProps, 'to' | 'search' | 'params' | 'hash'> & { readonly children: ReactNode }) {
  return (
    <Link {...link} className={buttonClass({ look, compact, wide })}>
      {icon && <Icon of={icon} size={18} />}
      {children}
    </Link>
  )
}

export const TextButton = ({ className, type = 'button', ...rest }: ComponentProps<'button'>) => (
  <button {...rest} type={type} className={cx('text-button', className)} />
)

export function IconButton({
  label,
  of,
  size = 20,
  className,
  type = 'button',
  ...rest
}: { readonly label: string; readonly of: Glyph; readonly size?: number } & ComponentProps<'button'>) {
  return (
    <button {...rest} type={type} aria-label={label} title={label} className={cx('icon-button', className)}>
      <Icon of={of} size={size} />
    </button>
  )
}
