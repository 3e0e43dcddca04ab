import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import {
  memo,
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
import { useCurrentBand } from '#ui/Band.tsx'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import { nextPaint } from '#ui/next-paint.ts'
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
/** The panels below the header; the account menu is a pop-up. */
type PanelBelow = Exclude<HeaderPanel, 'account'>

export interface HeaderProps {
  account: Account
  bagCount?: number | undefined
  /** The colours of the band below, if known on the server; `useBand` in a screen takes precedence. */
  band?: TitleTheme | null | undefined
  links?: readonly ShellLink[] | undefined
  /** The screen's name, which phones show instead of the shop's; the screen has a search of its own. */
  heading?: string | undefined
  /** Hidden by layouts: checkout has only the wordmark, redemption no account. */
  hide?: readonly ('links' | HeaderPanel)[] | undefined
  /** Panels below the header. Without one, search and bag link to their pages, and there is no menu. */
  panels?: Partial<Record<PanelBelow, (close: () => void) => ReactNode>> | undefined
  /** Between header and page: the offline badge or a banner, one at a time. */
  below?: ReactNode | undefined
}

export function Header(props: HeaderProps) {
  const { account, heading, bagCount = 0, links = MAIN_LINKS, hide = [], panels = {}, below } = props
  // One state for all panels: opening one closes the other (HDR-06).
  const [open, setOpen] = useState<HeaderPanel | null>(null)
  // The pressed button changes at once, before its panel, which takes a slow phone longer than a frame.
  const shown = usePainted(open)
  const close = () => setOpen(null)
  const current = useCurrentBand()
  const band = current ?? props.band ?? null
  const { away, scrolled } = useScrollAway(open !== null)
  const header = useRef<HTMLElement>(null)
  useThemeColour(band?.['--title-bg'], header)
  useLeaving(open !== null && open !== 'account', header, close)
  // After every render while a panel is open: the badge may have appeared or disappeared.
  useLayoutEffect(() => {
    if (open) setHeaderEnd(header.current)
  })

  const opener = (panel: PanelBelow, label: string, icon: ReactNode, to?: string, className?: string) =>
    panels[panel] ? (
      <button
        type="button"
        className={iconButtonClass({}, className)}
        aria-label={label}
        aria-expanded={open === panel}
        onClick={() => {
          // Before the panel changes the layout, which the browser would have to compute once more.
          setHeaderEnd(header.current)
          setOpen(open === panel ? null : panel)
        }}
      >
        {icon}
      </button>
    ) : (
      to && (
        <NavLink to={to} className={iconButtonClass({}, className)} aria-label={label}>
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
        {heading && (
          <p aria-hidden="true" className={styles.heading}>
            {heading}
          </p>
        )}
        <NavLink
          to="/"
          exact
          className={cx(styles.mark, hide.includes('links') && styles.alone, heading && styles.notOnPhones)}
        >
          <Wordmark {...shop()} />
        </NavLink>
        {!hide.includes('links') && <MainLinks links={links} />}
        {!hide.includes('search') &&
          opener(
            'search',
            'Search',
            <Icon of={MagnifyingGlassIcon} />,
            '/search-books',
            heading && styles.notOnPhones,
          )}
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
      {shown && shown !== 'account' && panels[shown]?.(close)}
      {below}
    </header>
  )
}

export const MainLinks = memo(({ links }: { links: readonly ShellLink[] }) => (
  <nav aria-label="Main" className={styles.links}>
    {links.map((link) => (
      <NavLink key={link.to} to={link.to} search={link.search} also={link.also} className={styles.link}>
        <span className={styles.label} data-label={link.label}>
          {link.italic ? <i>{link.label}</i> : link.label}
        </span>
      </NavLink>
    ))}
  </nav>
))

/** The value of the last frame that was painted. */
function usePainted<T>(value: T): T {
  const [painted, setPainted] = useState(value)
  useEffect(() => {
    let isLatest = true
    void nextPaint().then(() => isLatest && setPainted(value))
    return () => void (isLatest = false)
  }, [value])
  return painted
}

/** Three lines, which turn into a cross while the menu is open. */
export const MenuLines = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={styles.lines}>
    <path d="M4 6h16" />
    <path d="M4 12h16" />
    <path d="M4 18h16" />
  </svg>
)

/**
 * The height available for panels: a banner above the header, or a badge in it, reduces it. Not measured on
 * the panel, which moves while it opens and closes.
 */
function setHeaderEnd(header: HTMLElement | null) {
  if (!header) return
  const end = `${Math.max(0, header.offsetTop - window.scrollY) + header.offsetHeight}px`
  if (header.style.getPropertyValue('--header-end') !== end) header.style.setProperty('--header-end', end)
}

/** Escape closes and returns the focus to the opening button; a press or focus elsewhere only closes. */
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
    // The focused element must not be hidden below the panel.
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
        // A new tab, or a page without scripts, opens the page instead (HDR-17).
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
          // Clicks by keyboard have a detail of 0.
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

// The menu and its UI library are fetched on hover, not with the first view.
const loadMenu = () => import('#ui/Menu.tsx')
const Menu = lazyPart(loadMenu, 'Menu')

/** The distance to scroll down before the header hides (HDR-07). */
const LEAVE_AFTER_PX = 20

/** `away` after scrolling down, until the first scroll up; never while `isPinned` by an open menu. */
function useScrollAway(isPinned: boolean) {
  const [state, setState] = useState({ away: false, scrolled: false })

  useEffect(() => {
    // The position where scrolling down began; follows while scrolling up.
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
      // From here, one pixel up shows the header again.
      if (away) turned = top
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [isPinned])

  return state
}

/** iOS scrolls past both ends and bounces back; ignore that change of direction. */
function scrollTop() {
  const end = document.documentElement.scrollHeight - window.innerHeight
  return Math.max(0, Math.min(window.scrollY, Math.max(0, end)))
}

/** The browser's bars take the colour of the band below the header. */
function useThemeColour(ground: string | undefined, header: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!ground) return undefined
    // The computed colour: the meta element supports no CSS variables.
    const colour = getComputedStyle(header.current!).getPropertyValue('--title-bg')
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
    const before = metas.map((meta) => meta.content)
    metas.forEach((meta) => (meta.content = colour))
    return () => metas.forEach((meta, index) => (meta.content = before[index]!))
  }, [ground, header])
}

/** The shop's banner above the header: scrolls away, so it needs no close button (HDR-11). */
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
