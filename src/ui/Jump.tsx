interface JumpProps {
  direction: 'back' | 'forward'
  seconds: number
  size?: number | undefined
}

/** Our own icon: the seconds, with an arrow in their direction. */
export function Jump({ direction, seconds, size = 30 }: JumpProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 34 34"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={direction === 'back' ? BACK : FORWARD} />
      <text
        x="17"
        y="21.8"
        textAnchor="middle"
        fill="currentColor"
        stroke="none"
        style={{ font: '600 11px var(--font-text)' }}
      >
        {seconds}
      </text>
    </svg>
  )
}

const BACK = 'M11 7.5A12 12 0 1 1 6.2 12M11.5 2.8 11 7.7l5 .6'
const FORWARD = 'M23 7.5A12 12 0 1 0 27.8 12M22.5 2.8l.5 4.9-5 .6'
