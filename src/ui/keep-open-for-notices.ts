interface ChangeDetails {
  readonly event: Event
  cancel: () => void
}

/** A press on a notice is no press beside the dialog: Undo must not close what it is about. */
export const keepOpenForNotices =
  (onOpenChange: (open: boolean) => void) => (open: boolean, details: ChangeDetails) => {
    const { target } = details.event
    if (!open && target instanceof Element && target.closest('[data-notices]')) return details.cancel()
    onOpenChange(open)
  }
