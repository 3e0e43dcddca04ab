import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  Suspense,
  type RefObject,
} from 'react'
import { shop } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { useCurrentBand } from '#ui/band.ts'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconBadge, iconButtonClass } from '#ui/IconButton.tsx'
import { themeStyle, type TitleTheme } from '#ui/title-theme.ts'
import { Wordmark } from '#ui/Wordmark.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './header.module.css'
import { NavLink } from '../menus/NavLink.tsx'
import { MAIN_LINKS, type ShellLink } from '../menus/links.ts'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { MenuEntry } from '#ui/Menu.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { PageDetails } from '#contract/shop-details.ts'

type HeaderPanel = 'search' | 'bag' | 'account' | 'menu'
/** The panel below the header; the account's menu is a pop-up of its own. */
type PanelBelow = Exclude<HeaderPanel, 'account'>

export interface HeaderProps {
  account: Account
  bagCount?: number | undefined
  /** The colours of the band below, where the server knows them; `useBand` in a screen wins over it. */
  band?: TitleTheme | null | undefined
  links?: readonly ShellLink[] | undefined
  /** Left out by layouts: checkout has only the wordmark, redemption no account. */
  hide?: readonly ('links' | HeaderPanel)[] | undefined
  /** What opens below the header. Without one search and bag are links to their pages, and there is no menu. */
  panels?: Partial<Record<PanelBelow, (close: () => void) => ReactNode>> | undefined
  /** Between header and page, one at a time: the offline badge or a banner. */
  below?: ReactNode | undefined
}

export function Header(props: HeaderProps) {
  const { account, bagCount = 0, links = MAIN_LINKS, hide = [], panels = {}, below } = props
  // One state for all of them: opening one closes the other (HDR-06).
  const [open, setOpen] = useState<HeaderPanel | null>(null)
  const close = () => setOpen(null)
  const current = useCurrentBand()
  const band = current ?? props.band ?? null
  const { away, scrolled } = useScrollAway(open !== null)
  const header = useRef<HTMLElement>(null)
  useThemeColour(band?.['--title-bg'], header)
  useLeaving(open !== null && open !== 'account', header, close)
  // After every drawing while something is open: the badge in it may have come or gone.
  useLayoutEffect(() => {
    if (open) setHeaderEnd(header.current)
  })

  const opener = (panel: PanelBelow, label: string, icon: ReactNode, to?: string) =>
    panels[panel] ? (
      <button
        type="button"
        className={iconButtonClass()}
        aria-label={label}
        aria-expanded={open === panel}
        onClick={() => setOpen(open === panel ? null : panel)}
      >
        {icon}
      </button>
    ) : (
      to && (
        <NavLink to={to} className={iconButtonClass()} aria-label={label}>
          {icon}
        </NavLink>
      )
    )

  return (
    <header
      ref={header}
      className={cx(styles.header, away && styles.away, scrolled && styles.scrolled, band && styles.onBand)}
      style={band ? themeStyle(band) : undefined}
    >
      <Wrap className={styles.row}>
        <NavLink to="/" exact className={cx(styles.mark, hide.includes('links') && styles.alone)}>
          <Wordmark {...shop()} />
        </NavLink>
        {!hide.includes('links') && (
          <nav aria-label="Main" className={styles.links}>
            {links.map((link) => (
              <NavLink
                key={link.to}
                to={link.to}
                search={link.search}
                also={link.also}
                className={cx(styles.link, link.wide && styles.wide)}
              >
                <span className={styles.label} data-label={link.label}>
                  {link.italic ? <i>{link.label}</i> : link.label}
                </span>
              </NavLink>
            ))}
          </nav>
        )}
        {!hide.includes('links') &&
          links.map(
            ({ label, to, wide }) =>
              wide && (
                <NavLink key={to} to={to} className={iconButtonClass({}, styles.narrow)} aria-label={label}>
                  <Icon of={wide} />
                </NavLink>
              ),
          )}
        {!hide.includes('search') &&
          opener('search', 'Search', <Icon of={MagnifyingGlassIcon} />, '/search-books')}
        {!hide.includes('bag') &&
          opener(
            'bag',
            bagCount ? `Shopping bag, ${plural(bagCount, 'item')}` : 'Shopping bag',
            <>
              <Icon of={HandbagIcon} />
              <IconBadge count={bagCount} />
            </>,
            '/shopping-bag',
          )}
        {!hide.includes('account') && (
          <AccountButton
            account={account}
            open={open === 'account'}
            onOpenChange={(next) => setOpen(next ? 'account' : null)}
          />
        )}
        {!hide.includes('menu') && opener('menu', 'Menu', <MenuLines />)}
      </Wrap>
      {open && open !== 'account' && panels[open]?.(close)}
      {below}
    </header>
  )
}

/** Three lines, which turn into a cross while the menu is open. */
const MenuLines = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={styles.lines}>
    <path d="M4 6h16" />
    <path d="M4 12h16" />
    <path d="M4 18h16" />
  </svg>
)

/**
 * The room for what opens below: a banner above the header, or a badge in it, leaves less of the window. Not read from
 * the panel's own box, which moves while it opens and closes.
 */
function setHeaderEnd(header: HTMLElement | null) {
  if (!header) return
  const end = Math.max(0, header.offsetTop - window.scrollY) + header.offsetHeight
  header.style.setProperty('--header-end', `${end}px`)
}

/** Escape closes and gives the focus back to the button that opened; a press or the focus elsewhere only closes. */
function useLeaving(listening: boolean, header: { current: HTMLElement | null }, onLeave: () => void) {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (!listening) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      header.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
      leave()
    }
    const onElsewhere = (event: Event) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- presses and focus meet nodes only
      if (!header.current?.contains(event.target as Node)) leave()
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('pointerdown', onElsewhere)
    // The element with the focus must not be hidden below the panel.
    window.addEventListener('focusin', onElsewhere)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('pointerdown', onElsewhere)
      window.removeEventListener('focusin', onElsewhere)
    }
  }, [listening, header])
}

/** Until the session is known (and on the server) everyone is a visitor. */
export type Account =
  | { signedIn: false; onLogIn?: (() => void) | undefined }
  | { signedIn: true; name: string; entries: () => Promise<readonly MenuEntry[]> }

interface AccountButtonProps {
  account: Account
  open: boolean
  onOpenChange: (open: boolean) => void
}

function AccountButton({ account, open, onOpenChange }: AccountButtonProps) {
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

/** The distance down before the header leaves (HDR-07). */
const LEAVE_AFTER_PX = 20

/** `away` once the reader goes down, back at the first move up; never while `isPinned` by an open menu. */
function useScrollAway(isPinned: boolean) {
  const [state, setState] = useState({ away: false, scrolled: false })

  useEffect(() => {
    // The point where the way down began. Moves with the reader on the way up.
    let turned = scrollTop()
    const look = () => {
      const top = scrollTop()
      const away = !isPinned && top > turned + LEAVE_AFTER_PX
      const back = top < turned || top === 0
      if (back) turned = top
      setState((before) => {
        const next = { away: isPinned || back ? false : away || before.away, scrolled: top > 4 }
        return next.away === before.away && next.scrolled === before.scrolled ? before : next
      })
      // From here on one pixel up is enough to bring it back.
      if (away) turned = top
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [isPinned])

  return state
}

/** iOS bounces past both ends; a bounce is not a change of mind. */
function scrollTop() {
  const end = document.documentElement.scrollHeight - window.innerHeight
  return Math.max(0, Math.min(window.scrollY, Math.max(0, end)))
}

/** The browser's own bars follow the band below the header, and return to paper after it. */
function useThemeColour(ground: string | undefined, header: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!ground) return undefined
    // As it is drawn: the bars understand no variables.
    const colour = getComputedStyle(header.current!).getPropertyValue('--title-bg')
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
    const before = metas.map((meta) => meta.content)
    metas.forEach((meta) => (meta.content = colour))
    return () => metas.forEach((meta, index) => (meta.content = before[index]!))
  }, [ground, header])
}

/** The quietest banner, above the header: it leaves with the first scroll and needs no closing (HDR-11). */
export function OwnersBanner({ words, link, url }: NonNullable<PageDetails['banner']>) {
  return (
    <aside className={styles.banner} aria-label={words.replace(':', '')}>
      <Wrap className={styles.cardLine}>
        <NavLink to={url} className={styles.bannerLink}>
          <span>
            {words} <u>{link}</u>
          </span>
        </NavLink>
      </Wrap>
    </aside>
  )
}
