import { Drawer as Base } from '@base-ui/react/drawer'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { useSyncExternalStore, type CSSProperties, type ReactNode, type RefObject } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { iconButtonClass } from './IconButton.tsx'
import { keepOpenForNotices } from './keep-open-for-notices.ts'
import overlay from './overlay.module.css'
import styles from './Sheet.module.css'

export interface SheetProps {
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
  const {
    open,
    onOpenChange,
    title,
    children,
    footer,
    side = 'right',
    tone = 'page',
    closeLabel = 'Close',
  } = props
  const wide = useSyncExternalStore(watchWidth, isWide, () => false)
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
              <div className={styles.head}>
                <Base.Title className={cx(styles.title)}>{title}</Base.Title>
                <Base.Close className={iconButtonClass()} aria-label={closeLabel}>
                  <Icon of={XIcon} />
                </Base.Close>
              </div>
              <div className={styles.body}>{children}</div>
              {footer && <div className={styles.foot}>{footer}</div>}
            </Base.Content>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

const WIDE = '(min-width: 768px)'
const isWide = () => window.matchMedia(WIDE).matches

function watchWidth(changed: () => void) {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
