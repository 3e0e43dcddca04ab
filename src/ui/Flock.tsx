import { FlockBirds as BirdsNow } from './FlockBirds.later.tsx'
import { later } from './later.tsx'

export interface FlockProps {
  className?: string | undefined
  /** Without the air above and below: where it stands in the flow. */
  cropped?: boolean | undefined
}

/** A starling flock in the text colour. Decoration only; the one who places it decides size and faintness. */
export function Flock({ className, cropped }: FlockProps) {
  return (
    <svg
      className={className}
      viewBox={cropped ? '0 28 760 210' : '0 0 760 330'}
      aria-hidden="true"
      focusable="false"
    >
      <FlockBirds />
    </svg>
  )
}

// A page that failed for want of a network is not failed a second time for want of its birds.
const FlockBirds = later(import.meta.env.SSR ? BirdsNow : undefined, () =>
  import('./FlockBirds.later.tsx').then(
    (part) => part.FlockBirds,
    () => () => null,
  ),
)
