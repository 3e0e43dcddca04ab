import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Suspense, useRef, useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { iconButtonClass } from '#ui/IconButton.tsx'
import type { MenuEntry } from '#ui/Menu.tsx'
import { NavLink } from '../menus/NavLink.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'

/** Until the session is known (and on the server) everyone is a visitor. */
export type Account =
  | { signedIn: false; onLogIn?: (() => void) | undefined }
  | { signedIn: true; name: string; entries: () => Promise<readonly MenuEntry[]> }

export interface AccountButtonProps {
  account: Account
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function AccountButton({ account, open, onOpenChange }: AccountButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [entries, setEntries] = useState<readonly MenuEntry[]>()
  const [fromKeyboard, setFromKeyboard] = useState(false)

  if (!account.signedIn) {
    return (
      <NavLink
        to="/login"
        className={iconButtonClass()}
        aria-label="Log in"
        // A new tab, and a page without its scripts, open the page instead (HDR-17).
        onClick={(event) => {
          if (!account.onLogIn || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          account.onLogIn()
        }}
      >
        <Icon of={UserIcon} />
      </NavLink>
    )
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={iconButtonClass()}
        aria-label="Account"
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={(event) => {
          // A click without a pointer (the keyboard) has a detail of 0.
          setFromKeyboard(event.detail === 0)
          void account.entries().then(setEntries)
          onOpenChange(!open)
        }}
      >
        <Icon of={UserIcon} />
      </button>
      {entries && (
        <Suspense>
          <Menu
            label="Account"
            heading={account.name}
            entries={entries}
            anchor={button}
            fixed
            fromKeyboard={fromKeyboard}
            open={open}
            onOpenChange={onOpenChange}
          />
        </Suspense>
      )}
    </>
  )
}

// The menu and the library below it are fetched when a hand comes near, not with the first view.
const loadMenu = () => import('#ui/Menu.tsx')
const Menu = lazyPart(loadMenu, 'Menu')
