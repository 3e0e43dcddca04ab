import { useEffect, useState } from 'react'

const PATIENCE_MS = 300

/**
 * True once all is `settled`, at the latest 300 ms after `something` could be shown, and from then on. Anything
 * above the titles waits no longer than this, and whatever came later would push them from under a finger.
 */
export function useReadyOnce(something: boolean, settled: boolean): boolean {
  const [open, setOpen] = useState(settled)
  if (settled && !open) setOpen(true)
  useEffect(() => {
    if (!something || open) return undefined
    const timer = setTimeout(() => setOpen(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [something, open])
  return open || settled
}
