import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { LiveRegion } from '#ui/LiveRegion.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import styles from './frame.module.css'
import { Icon } from '#ui/Icon.tsx'
import { NavLink } from '../menus/NavLink.tsx'
import type { Tab } from '../menus/links.ts'

export interface ShellProps {
  header?: ReactNode | undefined
  children: ReactNode
  footer?: ReactNode | undefined
  /** The mini player; its root has `data-bar="mini"` and is `var(--bar-tabs)` above the window's edge. */
  mini?: ReactNode | undefined
  tabs?: ReactNode | undefined
  /** The screen fills the window (NAV-58). */
  whole?: boolean | undefined
}

/** The standard layout. Order in the document is the order of focus: header, page, mini player, tabs. */
export function Shell({ header, children, footer, mini, tabs, whole }: ShellProps) {
  return (
    <>
      <SkipLink />
      <div className={styles.page}>
        {header}
        <main id="main" tabIndex={-1} className={cx(styles.main, !footer && !whole && styles.noFooter)}>
          {children}
        </main>
        {footer}
      </div>
      {mini}
      {tabs}
      <Toaster />
      <LiveRegion />
    </>
  )
}

function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  )
}

/** Phones only. `data-bar` makes the shell reserve space for it at the end of the page. */
export function TabBar({ tabs }: { tabs: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label="Sections" data-bar="tabs">
      {tabs.map(({ label, to, search, also, exact, icon }) => (
        <NavLink key={label} {...{ to, search, also, exact }} className={styles.tab}>
          {({ isActive }) => (
            <>
              <Icon of={icon} filled={isActive} />
              <span className={styles.tabLabel}>{label}</span>
            </>
          )}
        </NavLink>
      ))}
    </nav>
  )
}
