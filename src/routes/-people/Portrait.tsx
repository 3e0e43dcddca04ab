import { contrastOf, type TitleTheme } from '#ui/title-theme.ts'

const SKIN = ['#F0CDB0', '#D9B093', '#BC8A68', '#8F5F42', '#623F2C']
/** Of the clothes, and lighter of the headphones. */
const CLOTHES = ['#E2764A', '#E9AE55', '#8DB4C4', '#C77B91', '#93AD86', '#B39BD0']
const HAIR = ['#1F1C24', '#4B2E22', '#8C5B34', '#C9A36E', '#BDB8B2']
/** Below the head and above it. */
const CUTS = [
  {
    back: 'M106 262a150 150 0 0 1 300 0v118a26 26 0 0 1-26 26H132a26 26 0 0 1-26-26z',
    front: 'M150 282c-6-96 46-138 106-138s112 42 106 138c-34-18-58-50-66-86-26 46-82 84-146 86z',
  },
  {
    back: 'M140 250a116 116 0 0 1 232 0v40H140z',
    front: 'M150 268c-8-92 42-128 106-128s114 36 106 128c-22-34-40-52-106-52s-84 18-106 52z',
  },
  {
    back: 'M256 72a50 50 0 1 1 0 100a50 50 0 1 1 0-100zM136 262a120 120 0 0 1 240 0v24H136z',
    front: 'M150 276c-6-92 44-134 106-134s112 42 106 134c-12-46-58-84-106-84s-94 38-106 84z',
  },
  {
    back: 'M256 96a150 140 0 0 1 150 150c0 60-40 96-54 96H160c-14 0-54-36-54-96A150 140 0 0 1 256 96z',
    front:
      'M148 284c-4-40-2-140 108-140s112 100 108 140c-14-20-20-40-24-64-52 8-112-4-140-32-12 36-28 66-52 96z',
  },
]

interface PortraitProps {
  /** Of their page: the same person always looks the same. */
  slug: string
  /** Of a book they made. */
  theme: TitleTheme
  /** With headphones, and rings of sound. */
  narrates: boolean
}

/** A drawn head and shoulders, hidden from screen readers: the name is next to it. */
export function Portrait({ slug, theme, narrates }: PortraitProps) {
  const [ground, text] = [theme['--title-bg'], theme['--title-text']]
  const seed = seedOf(slug)
  const skin = SKIN[seed % SKIN.length]!
  const visible = HAIR.filter((hair) => contrastOf(hair, ground) > 1.6 && contrastOf(hair, skin) > 1.6)
  const hair = visible[(seed >>> 3) % visible.length] ?? text
  const { back, front } = CUTS[(seed >>> 6) % CUTS.length]!
  const clothes = CLOTHES.filter(
    (colour) => contrastOf(colour, ground) > 1.6 && contrastOf(colour, skin) > 1.25,
  )
  const worn = clothes[(seed >>> 9) % clothes.length] ?? `color-mix(in srgb, ${text} 72%, ${ground})`
  const light = `color-mix(in srgb, ${worn} 55%, ${text})`
  const quiet = `color-mix(in srgb, ${text} 35%, ${ground})`
  // Without rings at its side, the figure is in the middle.
  const left = narrates ? 0 : -44
  return (
    <svg viewBox={`${left} 0 600 600`} aria-hidden="true" focusable="false" style={{ background: ground }}>
      {narrates &&
        RINGS.map(({ radius, degrees, from, strong }) => (
          <circle
            key={radius}
            cx="352"
            cy="318"
            r={radius}
            fill="none"
            stroke={strong ? light : quiet}
            strokeWidth={strong ? 22 : 12}
            pathLength={360}
            strokeDasharray={`${degrees} 360`}
            transform={`rotate(${from} 352 318)`}
          />
        ))}
      <path fill={hair} d={back} />
      <path fill={worn} d="M24 600c0-118 78-176 232-176s232 58 232 176z" />
      <path fill={`color-mix(in srgb, ${skin} 84%, #000)`} d="M208 360h96v74a48 48 0 0 1-96 0z" />
      <path fill={skin} d="M156 262a100 100 0 0 1 200 0v42a100 104 0 0 1-200 0z" />
      <path fill={hair} d={front} />
      {narrates && (
        <>
          <path
            fill="none"
            stroke={light}
            strokeWidth="18"
            strokeLinecap="round"
            d="M104 262a152 152 0 0 1 304 0"
          />
          <rect x="84" y="244" width="44" height="96" rx="22" fill={light} />
          <rect x="384" y="244" width="44" height="96" rx="22" fill={light} />
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
