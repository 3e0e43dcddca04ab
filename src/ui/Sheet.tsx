import { Drawer as Base } from '@base-ui/react/drawer'
import { Popover } from '@base-ui/react/popover'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import type { CSSProperties, ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { iconButtonClass } from './IconButton.tsx'
import { keepOpenForNotices } from './Toaster.tsx'
import overlay from './overlay.module.css'
import styles from './Sheet.module.css'
import { useMedia } from './use-media.ts'

interface SheetProps {
  open: boolean
  /** Called with false on Esc, backdrop, close button and a swipe. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
  footer?: ReactNode | undefined
  /**
   * `right` is a 420 px drawer from 768 px on and a bottom sheet below; `bottom` is always a bottom sheet.
   */
  side?: 'right' | 'bottom' | undefined
  /** From 768 px on a popover next to this element instead, above it where the sides are too narrow. */
  beside?: RefObject<HTMLElement | null> | undefined
  /** At most half the height of a phone's screen, so that the changes show above the sheet. */
  low?: boolean | undefined
  /**
   * `title`: container and text colours of a title; pass the theme as `style`, since it renders in a portal.
   */
  tone?: 'page' | 'title' | undefined
  style?: CSSProperties | undefined
  finalFocus?: RefObject<HTMLElement | null> | undefined
  initialFocus?: RefObject<HTMLElement | null> | undefined
  closeLabel?: string | undefined
}

export function Sheet(props: SheetProps) {
  const { open, onOpenChange, side = 'right', tone = 'page', beside } = props
  const wide = useMedia(WIDE)
  const roomy = useMedia(ROOMY)
  if (beside && roomy) return <BesideAnchor {...props} anchor={beside} />
  return (
    <Base.Root
      open={open}
      onOpenChange={keepOpenForNotices(onOpenChange)}
      swipeDirection={side === 'right' && wide ? 'right' : 'down'}
    >
      <Base.Portal>
        {!props.low && <Base.Backdrop className={cx(overlay.scrim, overlay.sheetScrim)} />}
        <Base.Viewport className={cx(styles.viewport, styles[side])} style={props.style}>
          <Base.Popup
            className={cx(styles.popup, tone === 'title' && styles.onTitle, props.low && styles.low)}
            finalFocus={props.finalFocus}
            initialFocus={props.initialFocus}
            data-sheet={side === 'right' && wide ? 'right' : 'bottom'}
          >
            <span className={styles.grab} aria-hidden="true" />
            <Base.Content className={cx(styles.content)}>
              <Parts {...props} of={Base} />
            </Base.Content>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function BesideAnchor(props: SheetProps & { anchor: RefObject<HTMLElement | null> }) {
  const { open, onOpenChange, anchor, tone } = props
  // A press on the anchor is its own: its buttons toggle the popover.
  const change = (next: boolean, details: Popover.Root.ChangeEventDetails) => {
    const pressed = details.event.target
    if (!next && details.reason === 'outside-press' && pressed instanceof Node)
      if (anchor.current?.contains(pressed)) return details.cancel()
    keepOpenForNotices(onOpenChange)(next, details)
  }
  return (
    <Popover.Root open={open} onOpenChange={change} modal="trap-focus">
      <Popover.Portal>
        <Popover.Positioner
          className={cx(styles.positioner)}
          style={props.style}
          anchor={anchor}
          side="right"
          align="end"
          sideOffset={12}
          collisionPadding={12}
          collisionAvoidance={{ side: 'flip', align: 'shift', fallbackAxisSide: 'start' }}
          positionMethod="fixed"
        >
          <Popover.Popup
            className={cx(styles.popover, tone === 'title' && styles.onTitle)}
            finalFocus={props.finalFocus}
            initialFocus={props.initialFocus}
            data-sheet="beside"
          >
            <Parts {...props} of={Popover} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Parts({
  of,
  title,
  children,
  footer,
  closeLabel = 'Close',
}: SheetProps & { of: Pick<typeof Base, 'Title' | 'Close'> | Pick<typeof Popover, 'Title' | 'Close'> }) {
  return (
    <>
      <div className={styles.head}>
        <of.Title className={cx(styles.title)}>{title}</of.Title>
        <of.Close className={iconButtonClass()} aria-label={closeLabel}>
          <Icon of={XIcon} />
        </of.Close>
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </>
  )
}

const WIDE = '(min-width: 768px)'
/** Not a phone in landscape. */
const ROOMY = '(min-width: 768px) and (min-height: 540.02px)'
