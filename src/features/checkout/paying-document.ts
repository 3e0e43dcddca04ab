import { tabStorage, reloadPage } from '#storage/page-storage.ts'

/** Twice in this time means that the document cannot be had: offline, the worker's shell stands in for it. */
const RELOAD_MS = 15_000
const ASKED = 'payingDocumentAsked'

/**
 * True if this document lets the payment provider's script and frames in. Only one that was opened at the payment
 * page does: the policy is the document's, and stays through every screen that follows without a reload.
 */
export const isPayingDocument = (): boolean => document.querySelector('meta[name="payments"]') !== null

/**
 * Loads the document again where it must be, at the address that is being gone to and with its history state; the
 * screen that stands stays until then. Returns where there is nothing to wait for: it is one already, or cannot be had.
 */
export async function enterPayingDocument(): Promise<void> {
  // It came, so whoever goes back and comes again is not kept waiting for the next one.
  if (isPayingDocument()) return forgetReload()
  if (!mayReload()) return
  // The router writes the address into the history a moment after it begins to load the screen.
  await new Promise((resolve) => setTimeout(resolve))
  reloadPage()
  await new Promise(() => undefined)
}

/** A buyer who presses Try again means it. */
export const forgetReload = (): void => tabStorage.removeItem(ASKED)

function mayReload(): boolean {
  const last = Number(tabStorage.getItem(ASKED) ?? 0)
  if (Date.now() - last < RELOAD_MS) return false
  tabStorage.setItem(ASKED, String(Date.now()))
  return true
}
