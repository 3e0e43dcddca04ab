import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface NavLinkProps {
  to: string
  search?: Record<string, string | number> | undefined
  className?: string | undefined
  /** Only this very page is current, not those below it: home. */
  exact?: boolean | undefined
  'aria-label'?: string | undefined
  onClick?: (() => void) | undefined
  children: ReactNode | ((state: { isActive: boolean }) => ReactNode)
}

/** A link whose target is data, so that it cannot be checked against the map of routes. */
export function NavLink({ to, search, exact = false, children, ...rest }: NavLinkProps) {
  return (
    <Link {...rest} to={to} search={(search ?? {}) as never} activeOptions={{ exact, includeSearch: false }}>
      {children}
    </Link>
  )
}
