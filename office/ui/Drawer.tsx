import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './Button.tsx'
import { PHONE } from './windows.ts'

export const DRAWER_HOST = 'drawers'

interface DrawerProps {
  readonly title: string
  /** Goes back to the page's own address; Esc does the same. */
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
  /** It shows something and holds nothing to focus: the arrow keys scroll it. */
  readonly isLook?: boolean
}

/**
 * The page stays readable, because the drawer makes it narrower. It is a route's component, so it has an address.
 * Below 1101 px it covers a part of the page, and on a phone it is a sheet.
 */
export function Drawer({ title, onClose, children, footer, isLook = false }: DrawerProps) {
  const titleId = useId()
  const drawer = useRef<HTMLDivElement>(null)
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    drawer.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [before])
  usePageInertOnPhones()

  // The host is a part of the shell, which may be drawn together with the drawer.
  const [host, setHost] = useState<HTMLElement | null>(null)
  useEffect(() => setHost(document.getElementById(DRAWER_HOST)), [])
  useEffect(() => {
    if (host) drawer.current?.focus()
  }, [host])
  if (!host) return null

  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes it from everywhere inside
    <div
      ref={drawer}
      className="drawer"
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Close" of={XIcon} onClick={onClose} />
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard */}
      <div className="drawer-body" tabIndex={isLook ? 0 : undefined}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </div>,
    host,
  )
}

/** A sheet covers the page, so nothing behind it can be reached. */
function usePageInertOnPhones() {
  useEffect(() => {
    const phone = matchMedia(PHONE)
    const behind = [...document.querySelectorAll<HTMLElement>('.app > :not(#drawers)')]
    const set = () => {
      for (const part of behind) part.inert = phone.matches
    }
    set()
    phone.addEventListener('change', set)
    return () => {
      phone.removeEventListener('change', set)
      for (const part of behind) part.inert = false
    }
  }, [])
}
