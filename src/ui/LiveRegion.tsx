import { useAnnouncements } from './announce.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

/** The two live regions for `announce`; render once per window. */
export function LiveRegion() {
  const { polite, assertive } = useAnnouncements()
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
