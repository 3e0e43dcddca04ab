interface ChangeDetails {
  readonly event: Event
  cancel: () => void
}

/** A press on a notice does not count as a press outside: Undo must not close the dialog it belongs to. */
export const keepOpenForNotices =
  (onOpenChange: (open: boolean) => void) => (open: boolean, details: ChangeDetails) => {
    const { target } = details.event
    if (!open && target instanceof Element && target.closest('[data-notices]')) return details.cancel()
    onOpenChange(open)
  }
