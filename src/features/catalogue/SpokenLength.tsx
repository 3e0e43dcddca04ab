import { shortLength, spokenLength } from '#format/duration.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'

/** A length of sound: short to the eye, in whole words to the ear. */
export const SpokenLength = ({ seconds }: { seconds: number }) => (
  <>
    <span aria-hidden="true">{shortLength(seconds)}</span>
    <VisuallyHidden>{spokenLength(seconds)}</VisuallyHidden>
  </>
)
