import { Popover } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'

export interface PopProps {
  readonly title: string
  readonly anchor: RefObject<HTMLElement | null>
  readonly align: 'start' | 'end'
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What a `PopButton` opens. Loaded at the first press: the library that places it is heavy. */
export const Pop = ({ title, anchor, align, onClose, children }: PopProps) => (
  <Popover.Root
    open
    onOpenChange={(_, { event: { target } }) => {
      // A second press on the button closes it.
      if (!(target instanceof Node && anchor.current?.contains(target))) onClose()
    }}
  >
    <Popover.Portal>
      <Popover.Positioner anchor={anchor} sideOffset={6} align={align} className="pop-positioner">
        <Popover.Popup className="pop" finalFocus={anchor}>
          <Popover.Title className="pop-title">{title}</Popover.Title>
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)
