import { flockPath } from './flock-path.ts'

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
      <path fill="currentColor" d={PATH} />
    </svg>
  )
}

const PATH = flockPath()
