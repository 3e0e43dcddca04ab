import { useEffect, useState } from 'react'

/**
 * True once all is `settled`, at the latest `patienceMs` after `something` could be shown, and from then on. Anything
 * above the titles waits no longer than this, and whatever came later would push them from under a finger.
 */
export function useReadyOnce(something: boolean, settled: boolean, patienceMs: number): boolean {
  const [open, setOpen] = useState(settled)
  if (settled && !open) setOpen(true)
  useEffect(() => {
    if (!something || open) return undefined
    const timer = setTimeout(() => setOpen(true), patienceMs)
    return () => clearTimeout(timer)
  }, [something, open, patienceMs])
  return open || settled
}
