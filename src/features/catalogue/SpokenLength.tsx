import { shortLength, spokenLength } from '#format/duration.ts'
import { plural } from '#format/plural.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'

/** A length of sound: short to the eye, in whole words to the ear; of less than a minute in seconds. */
export function SpokenLength({ seconds }: { seconds: number }) {
  const few = Math.max(1, Math.round(seconds))
  return (
    <>
      <span aria-hidden="true">{few < 60 ? `${few} s` : shortLength(seconds)}</span>
      <VisuallyHidden>{few < 60 ? plural(few, 'second') : spokenLength(seconds)}</VisuallyHidden>
    </>
  )
}
