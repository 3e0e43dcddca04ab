import { Menu as Base } from '@base-ui/react/menu'
import { Fragment, useEffect, useRef, type ReactElement, type ReactNode, type RefObject } from 'react'
import { cx } from './cx.ts'
import styles from './Menu.module.css'

export interface MenuEntry {
  key: string
  label: ReactNode
  icon?: ReactNode | undefined
  /** At the row's end: a value, a size. */
  note?: ReactNode | undefined
  /** A press; for a place to go give `link` instead. */
  onSelect?: (() => void) | undefined
  /** The link element without children, e.g. `<Link to="/library" />`. */
  link?: ReactElement | undefined
  disabled?: boolean | undefined
  danger?: boolean | undefined
  /** A thin rule above. */
  ruled?: boolean | undefined
}

export interface MenuProps {
  entries: readonly MenuEntry[]
  /** Name of the list for screen readers. */
  label: string
  /** The button that opens it, e.g. `<IconButton … />`. Leave out to control it from an `anchor`. */
  trigger?: ReactElement | undefined
  /** The button elsewhere that opens it: position and focus come from there. */
  anchor?: RefObject<HTMLElement | null> | undefined
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** With an `anchor`: it was opened by key, so the first entry takes the focus. */
  fromKeyboard?: boolean | undefined
  heading?: ReactNode | undefined
  align?: 'start' | 'center' | 'end' | undefined
  side?: 'top' | 'bottom' | undefined
  /** The anchor stands still while the page scrolls, as the bars do; so does the menu then. */
  fixed?: boolean | undefined
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
    side = 'bottom',
    fixed = false,
  } = props

  const change = (next: boolean, details: Base.Root.ChangeEventDetails) => {
    // The anchor handles its own press; counting it as an outside press would close and reopen the menu.
    const pressed = details.event.target
    const onAnchor = pressed instanceof Node && anchor?.current?.contains(pressed)
    if (next || details.reason !== 'outside-press' || !onAnchor) onOpenChange?.(next)
  }

  // After a link, focus belongs to the new page's heading; otherwise it goes back to the button.
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
          anchor={anchor}
          align={align}
          side={side}
          sideOffset={6}
          positionMethod={fixed ? 'fixed' : 'absolute'}
        >
          <Base.Popup ref={popup} className={cx(styles.popup)} aria-label={label} finalFocus={goBack}>
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
