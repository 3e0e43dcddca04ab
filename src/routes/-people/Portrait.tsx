import { contrastOf, type TitleTheme } from '#ui/title-theme.ts'

/** Of the circle behind an author, and of a narrator's headphones. */
const ACCENTS = ['#E2764A', '#E9AE55', '#8DB4C4', '#C77B91', '#93AD86', '#B39BD0']

interface PortraitProps {
  /** Of their page: the same person always has the same accent. */
  slug: string
  /** Of a book they made. */
  theme: TitleTheme
  /** With headphones, and rings of sound. */
  narrates: boolean
}

/**
 * A silhouette, because a drawn face would only be a guess. Hidden from screen readers: the name is next to it.
 */
export function Portrait({ slug, theme, narrates }: PortraitProps) {
  const [ground, text] = [theme['--title-bg'], theme['--title-text']]
  const visible = ACCENTS.filter(
    (colour) => contrastOf(colour, ground) > 1.6 && contrastOf(colour, text) > 1.6,
  )
  const accent = visible[seedOf(slug) % visible.length] ?? `color-mix(in srgb, ${text} 50%, ${ground})`
  const quiet = `color-mix(in srgb, ${text} 35%, ${ground})`
  // Without rings at its side, the figure is in the middle.
  const left = narrates ? 0 : -44
  return (
    <svg viewBox={`${left} 0 600 600`} aria-hidden="true" focusable="false" style={{ background: ground }}>
      {narrates ? (
        RINGS.map(({ radius, degrees, from, strong }) => (
          <circle
            key={radius}
            cx="352"
            cy="318"
            r={radius}
            fill="none"
            stroke={strong ? accent : quiet}
            strokeWidth={strong ? 22 : 12}
            pathLength={360}
            strokeDasharray={`${degrees} 360`}
            transform={`rotate(${from} 352 318)`}
          />
        ))
      ) : (
        <circle cx="384" cy="190" r="132" fill={accent} />
      )}
      <path
        fill={`color-mix(in srgb, ${text} 88%, ${ground})`}
        d="M24 600c0-104 66-150 152-166 24-6 34-18 34-38-34-24-62-66-62-134 0-80 48-126 108-126s108 46 108 126c0 68-28 110-62 134 0 20 10 32 34 38 86 16 152 62 152 166z"
      />
      {narrates && (
        <>
          <path
            fill="none"
            stroke={accent}
            strokeWidth="20"
            strokeLinecap="round"
            d="M126 262a130 130 0 0 1 260 0"
          />
          <rect x="108" y="236" width="46" height="92" rx="22" fill={accent} />
          <rect x="358" y="236" width="46" height="92" rx="22" fill={accent} />
        </>
      )}
    </svg>
  )
}

const RINGS = [
  { radius: 122, degrees: 61, from: -32, strong: false },
  { radius: 154, degrees: 68, from: -40, strong: true },
  { radius: 186, degrees: 43, from: -6, strong: false },
  { radius: 212, degrees: 72, from: -44, strong: false },
]

/** FNV-1a. */
const seedOf = (text: string): number =>
  Array.from(text).reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0,
    0x811c9dc5,
  )
