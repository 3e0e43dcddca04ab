import { contrastOf, isDark, type TitleTheme } from '#ui/title-theme.ts'

const CLOTHES = ['#E2764A', '#E9AE55', '#8DB4C4', '#C77B91', '#93AD86', '#B39BD0']

const SWEPT = {
  back: 'M136 246a120 118 0 0 1 240 0v44H136z',
  front: 'M150 282c-6-96 46-142 106-142s112 46 106 142c-30-22-48-50-58-84-30 44-88 80-154 84z',
}
const SHORT = 'M150 268c-8-92 42-128 106-128s114 36 106 128c-22-34-40-52-106-52s-84 18-106 52z'
/** Behind the head and in front of it. No cut suggests a gender or an age: that would be a guess. */
const CUTS: readonly { back: string; front: string; isMirrored?: boolean }[] = [
  { back: 'M140 250a116 116 0 0 1 232 0v34H140z', front: SHORT },
  SWEPT,
  { ...SWEPT, isMirrored: true },
  {
    back: 'M256 104c34-14 66 2 76 26 30 4 48 32 42 60 18 22 14 52-6 66 2 18-6 32-16 40H160c-10-8-18-22-16-40-20-14-24-44-6-66-6-28 12-56 42-60 10-24 42-40 76-26z',
    front: SHORT,
  },
]

interface PortraitProps {
  /** Of their page: the same person always looks the same. */
  slug: string
  /** Of a book they made. */
  theme: TitleTheme
  /** With headphones and rings of sound; an author has an open book instead. */
  narrates: boolean
}

/**
 * A drawn head and shoulders in the title's colours, which no skin has. Hidden from screen readers: the name is next to
 * it.
 */
export function Portrait({ slug, theme, narrates }: PortraitProps) {
  const [ground, text] = [theme['--title-bg'], theme['--title-text']]
  const dark = isDark(theme)
  const mixed = (share: number) => `color-mix(in srgb, ${text} ${share}%, ${ground})`
  const seed = seedOf(slug)
  const visible = CLOTHES.filter((colour) => contrastOf(colour, ground) > 1.6)
  const worn = visible[(seed >>> 14) % visible.length] ?? mixed(50)
  // Lit by what they wear: a mixture with the ground would look like plaster.
  const lit = (share: number) => `color-mix(in oklab, ${dark ? text : mixed(58)} ${share}%, ${worn})`
  const face = lit(86)
  const neck = lit(66)
  const hair = dark ? `color-mix(in srgb, ${ground} 62%, #000)` : text
  const { back, front, isMirrored = false } = CUTS[seed % CUTS.length]!
  const mirror = isMirrored ? 'translate(512 0) scale(-1 1)' : undefined
  const light = `color-mix(in srgb, ${worn} 60%, ${dark ? '#fff' : '#000'})`
  const quiet = mixed(35)
  // Without rings at its side, the figure is in the middle.
  const left = narrates ? 0 : -44
  return (
    <svg
      viewBox={`${left} 0 600 600`}
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
      focusable="false"
      style={{ background: ground }}
    >
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
      <path fill={hair} d={back} transform={mirror} />
      <path fill={worn} d="M24 600c0-118 78-176 232-176s232 58 232 176z" />
      <path fill={neck} d="M208 360h96v74a48 48 0 0 1-96 0z" />
      <path fill={face} d="M156 262a100 100 0 0 1 200 0v42a100 104 0 0 1-200 0z" />
      <path fill={hair} d={front} transform={mirror} />
      {!narrates && (
        <>
          <path fill={hair} d={COVERS} />
          <path fill={dark ? text : '#fff'} d={PAGES} />
          <path fill="none" stroke={neck} strokeWidth="8" d="M256 506v94" />
        </>
      )}
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

/** An open book in front of an author, its covers and its pages. */
const COVERS = 'M116 600V496c52-18 100-16 140 8 40-24 88-26 140-8v104z'
const PAGES = 'M130 600V484c46-14 88-10 126 18 38-28 80-32 126-18v116z'

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
