import { Link, useLocation } from '@tanstack/react-router'
import type { MouseEventHandler, ReactNode, ComponentProps } from 'react'
import { leadsSomewhere, openLinks } from '#features/shop-details/shop.ts'
import type { ShellLink } from './links.ts'
import { buttonClass, type ButtonLook } from '#ui/Button.tsx'

interface NavLinkProps {
  to: string
  search?: Record<string, string | number> | undefined
  /** Other path prefixes for which the link is current. */
  also?: readonly string[] | undefined
  className?: string | undefined
  /** Current only on exactly this path. */
  exact?: boolean | undefined
  'aria-label'?: string | undefined
  onClick?: MouseEventHandler<HTMLAnchorElement> | undefined
  children: ReactNode | ((state: { isActive: boolean }) => ReactNode)
}

/**
 * A link whose target is data, so TypeScript can't check it against the routes. Renders nothing for disabled
 * features.
 */
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the target is data
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

interface LinkListProps extends ComponentProps<'ul'> {
  links: readonly ShellLink[]
  linkClassName?: string | undefined
  onFollow?: () => void
}

export const LinkList = ({ links, linkClassName, onFollow, ...list }: LinkListProps) => (
  <ul role="list" {...list}>
    {openLinks(links).map((link) => (
      <li key={link.label}>
        <NavLink to={link.to} search={link.search} className={linkClassName} onClick={onFollow}>
          {link.italic ? <i>{link.label}</i> : link.label}
        </NavLink>
      </li>
    ))}
  </ul>
)

interface ShellButtonProps {
  to: string
  search?: Record<string, string | number> | undefined
  look: ButtonLook
  children: ReactNode
}

export function ShellButton({ look, ...link }: ShellButtonProps) {
  return <NavLink {...link} className={buttonClass({ look })} />
}
