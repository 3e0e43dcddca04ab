interface ChangeDetails {
  readonly event: Event
  cancel: () => void
}

/** Ignores clicks on a toast as outside clicks: Undo must not close the dialog it belongs to. */
export const keepOpenForNotices =
  (onOpenChange: (open: boolean) => void) => (open: boolean, details: ChangeDetails) => {
    const { target } = details.event
    if (!open && target instanceof Element && target.closest('[data-notices]')) return details.cancel()
    onOpenChange(open)
  }
