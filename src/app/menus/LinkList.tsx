import type { ComponentProps } from 'react'
import { openLinks } from '#features/shop-details/shop.ts'
import { NavLink } from './NavLink.tsx'
import type { ShellLink } from './shell-link.ts'

interface LinkListProps extends ComponentProps<'ul'> {
  links: readonly ShellLink[]
  linkClassName?: string | undefined
  onFollow?: () => void
}

/** The links of one group of a menu. */
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
