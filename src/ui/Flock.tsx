import { flockPath } from './flock-path.ts'

export interface FlockProps {
  className?: string | undefined
}

/** A starling flock in the text colour. Decoration only; the one who places it decides size and faintness. */
export function Flock({ className }: FlockProps) {
  return (
    <svg className={className} viewBox="0 0 760 330" aria-hidden="true" focusable="false">
      <path fill="currentColor" d={PATH} />
    </svg>
  )
}

const PATH = flockPath()
