import { Link, useLocation } from '@tanstack/react-router'
import type { MouseEventHandler, ReactNode } from 'react'
import { leadsSomewhere } from '#features/shop-details/shop.ts'

export interface NavLinkProps {
  to: string
  search?: Record<string, string | number> | undefined
  /** Other paths below which it is current as well. */
  also?: readonly string[] | undefined
  className?: string | undefined
  /** Only this very page is current, not those below it: home. */
  exact?: boolean | undefined
  'aria-label'?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement> | undefined
  children: ReactNode | ((state: { isActive: boolean }) => ReactNode)
}

/** A link whose target is data, so that it cannot be checked against the map of routes; none to what this shop does without. */
export function NavLink({ to, search, exact = false, also, children, ...rest }: NavLinkProps) {
  const inside = useLocation({
    select: ({ pathname }) =>
      also?.some((path) => pathname.startsWith(`${path}/`) || pathname === path) ?? false,
  })
  if (!leadsSomewhere(to)) return null
  return (
    <Link
      {...rest}
      to={to}
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its target is data
      search={(search ?? {}) as never}
      activeOptions={{ exact, includeSearch: false }}
      inactiveProps={inside ? { 'aria-current': 'true' } : {}}
    >
      {typeof children === 'function'
        ? ({ isActive }) => children({ isActive: isActive || inside })
        : children}
    </Link>
  )
}
