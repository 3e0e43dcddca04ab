import { useSyncExternalStore } from 'react'
import { announced, onAnnouncement } from './announce.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

/** The two places that speak for `announce`; once per window. */
export function LiveRegion() {
  const { polite, assertive } = useSyncExternalStore(onAnnouncement, announced, () => SILENCE)
  return (
    <>
      <VisuallyHidden aria-live="polite" aria-atomic="true">
        {polite}
      </VisuallyHidden>
      <VisuallyHidden aria-live="assertive" aria-atomic="true">
        {assertive}
      </VisuallyHidden>
    </>
  )
}

const SILENCE = { polite: '', assertive: '' }
