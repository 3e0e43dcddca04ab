import { Menu as Base } from '@base-ui/react/menu'
import {
  type CSSProperties,
  Fragment,
  useEffect,
  useRef,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react'
import { cx } from './cx.ts'
import styles from './Menu.module.css'

export interface MenuEntry {
  key: string
  label: ReactNode
  icon?: ReactNode | undefined
  /** At the row's end: a value or a size. */
  note?: ReactNode | undefined
  /** The click handler; use `link` for navigation. */
  onSelect?: (() => void) | undefined
  link?: ReactElement | undefined
  disabled?: boolean | undefined
  danger?: boolean | undefined
  ruled?: boolean | undefined
}

interface MenuProps {
  entries: readonly MenuEntry[]
  label: string
  /** The button that opens it, e.g. `<IconButton … />`. Leave it out to control the menu from an `anchor`. */
  trigger?: ReactElement | undefined
  /** An opening button elsewhere: the menu is positioned there and returns the focus to it. */
  anchor?: RefObject<HTMLElement | null> | undefined
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** With an `anchor`: the menu was opened by keyboard, so the first entry gets the focus. */
  fromKeyboard?: boolean | undefined
  heading?: ReactNode | undefined
  align?: 'start' | 'center' | 'end' | undefined
  /** In pixels, from the trigger's edge into the page: for a button that extends beyond its column. */
  alignOffset?: number | undefined
  side?: 'top' | 'bottom' | undefined
  /** The anchor is fixed while the page scrolls, as the bars are; so the menu is fixed too. */
  fixed?: boolean | undefined
  /** A title's colours, which are to be passed as `style`, since it renders in a portal. */
  style?: CSSProperties | undefined
}

export function Menu(props: MenuProps) {
  const {
    entries,
    label,
    trigger,
    anchor,
    open,
    onOpenChange,
    fromKeyboard,
    heading,
    align = 'end',
    alignOffset = 0,
    side = 'bottom',
    fixed = false,
    style,
  } = props

  const change = (next: boolean, details: Base.Root.ChangeEventDetails) => {
    // The anchor handles its own click; treating it as an outside click would close and reopen the menu.
    const pressed = details.event.target
    const onAnchor = pressed instanceof Node && anchor?.current?.contains(pressed)
    if (next || details.reason !== 'outside-press' || !onAnchor) onOpenChange?.(next)
  }

  // After a link, the focus belongs to the new page's heading; otherwise it returns to the button.
  const followed = useRef(false)
  const goBack = () => {
    const stays = followed.current
    followed.current = false
    return stays ? false : (anchor?.current ?? true)
  }

  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open || !fromKeyboard) return undefined
    // Base UI does this only for its own trigger.
    const frame = requestAnimationFrame(() =>
      popup.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [open, fromKeyboard])

  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={change}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Positioner
          className={cx(styles.positioner)}
          style={style}
          anchor={anchor}
          align={align}
          alignOffset={alignOffset}
          side={side}
          sideOffset={6}
          positionMethod={fixed ? 'fixed' : 'absolute'}
        >
          <Base.Popup
            ref={popup}
            className={cx(styles.popup, style && styles.onTitle)}
            aria-label={label}
            finalFocus={goBack}
            // In a sheet, the sheet would take a press on an entry for the start of a swipe, and the click would be lost.
            data-base-ui-swipe-ignore
          >
            {heading && <div className={styles.heading}>{heading}</div>}
            {entries.map((entry) => (
              <Fragment key={entry.key}>
                {entry.ruled && <Base.Separator className={cx(styles.rule)} />}
                <MenuRow entry={entry} onFollow={() => (followed.current = true)} />
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function MenuRow({ entry, onFollow }: { entry: MenuEntry; onFollow: () => void }) {
  const className = cx(styles.item, entry.danger && styles.danger)
  const words = (
    <>
      {entry.icon}
      <span>{entry.label}</span>
      {entry.note && <span className={styles.note}>{entry.note}</span>}
    </>
  )
  if (entry.link) {
    return (
      <Base.LinkItem className={className} render={entry.link} closeOnClick onClick={onFollow}>
        {words}
      </Base.LinkItem>
    )
  }
  return (
    <Base.Item className={className} disabled={entry.disabled} onClick={entry.onSelect}>
      {words}
    </Base.Item>
  )
}
