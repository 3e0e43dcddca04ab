import type { Icon as Glyph } from '@phosphor-icons/react/dist/lib/types'

export interface IconProps {
  /** An icon from '@phosphor-icons/react/dist/csr/Play' etc., with one import per icon. */
  of: Glyph
  size?: number | undefined
  /** For the current tab and the transport buttons. */
  filled?: boolean | undefined
  className?: string | undefined
}

/** An icon next to text, or inside a labelled control: hidden from screen readers. */
export function Icon({ of: Drawn, size = 24, filled = false, className }: IconProps) {
  return (
    <Drawn
      size={size}
      weight={filled ? 'fill' : 'regular'}
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
      {...(className ? { className } : {})}
    />
  )
}
