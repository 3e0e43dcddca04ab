import { useEffect, useRef, useState, type CSSProperties } from 'react'
import styles from './Cover.module.css'
import { cx } from './cx.ts'

interface CoverProps {
  picture: CoverPicture
  /** "Cover of … by …"; empty if the title is in the same link, so that it isn't announced twice. */
  alt: string
  /** The displayed width, e.g. `(min-width: 768px) 282px, 42vw`. The browser needs it to choose a file. */
  sizes: string
  /** The largest picture above the fold: loaded at once, with priority, and with a deeper shadow. */
  hero?: boolean | undefined
  /** Above the fold: loaded at once, without the hero's priority and shadow. */
  eager?: boolean | undefined
  /** Below 96 px: square crop without type, no shadow. */
  thumb?: boolean | undefined
  /** Reduces opacity to 55 % for titles that cannot be played now. The text next to it never dims. */
  dim?: boolean | undefined
  /** Moves up 4 px while the surrounding link is hovered. */
  lift?: boolean | undefined
  className?: string | undefined
  style?: CSSProperties | undefined
}

export function Cover({ picture, alt, sizes, hero, eager, thumb, dim, lift, className, style }: CoverProps) {
  const crop = thumb ? picture.thumb : undefined
  const image = useRef<HTMLImageElement>(null)
  // A picture that was loaded before this page ran (server markup, cache) must not blink.
  const [waiting, setWaiting] = useState(false)
  // A picture of another aspect ratio does not fill its box, so the placeholder would stay visible around it.
  const [bare, setBare] = useState(false)
  const shape = thumb ? 1 : picture.width / picture.height
  useEffect(() => {
    const { current } = image
    if (current?.complete) setBare(!fills(current, shape))
    else if (current && !hero) setWaiting(true)
  }, [hero, shape])

  return (
    <span
      className={cx(styles.frame, hero && styles.hero, thumb && styles.thumb, lift && styles.lift, className)}
      style={{
        aspectRatio: thumb ? '1' : `${picture.width} / ${picture.height}`,
        ...(picture.ground ? { '--cover-ground': picture.ground } : {}),
        ...(picture.placeholder && !bare ? { backgroundImage: coverBlocks(picture.placeholder) } : {}),
        ...(dim ? { opacity: 0.55 } : {}),
        ...style,
      }}
    >
      {picture.webp[330] && (
        <picture>
          <source type="image/avif" srcSet={crop ? crop.avif : srcSet(picture.avif)} sizes={sizes} />
          <source type="image/webp" srcSet={crop ? crop.webp : srcSet(picture.webp)} sizes={sizes} />
          <img
            ref={image}
            className={cx(styles.picture, waiting && styles.waiting)}
            src={crop ? crop.webp : picture.webp[330]}
            alt={alt}
            width={thumb ? 96 : picture.width}
            height={thumb ? 96 : picture.height}
            loading={hero || eager ? 'eager' : 'lazy'}
            fetchPriority={hero ? 'high' : 'auto'}
            decoding={hero ? 'sync' : 'async'}
            onLoad={({ currentTarget }) => {
              setWaiting(false)
              setBare(!fills(currentTarget, shape))
            }}
            // Show the placeholder instead of the browser's broken-image icon.
            onError={() => setWaiting(true)}
          />
        </picture>
      )}
    </span>
  )
}

/** Allows for rounding to whole pixels; a picture that failed to load has no shape. */
const fills = ({ naturalWidth, naturalHeight }: HTMLImageElement, shape: number) =>
  naturalHeight === 0 || Math.abs(naturalWidth / naturalHeight / shape - 1) < 0.02

/**
 * The 4×4 average colours of a cover that has not loaded yet, as background images of one element: four rows
 * of four squares. Undefined unless the text is sixteen six-digit hexadecimal colours.
 */
function coverBlocks(colours: string): string | undefined {
  const blocks = colours.match(/[0-9a-f]{6}/gi) ?? []
  if (blocks.length !== 16) return undefined
  const rows = [0, 4, 8, 12].map((at) => {
    const [first, second, third, fourth] = blocks.slice(at, at + 4).map((colour) => inTwelveBits(colour))
    return `linear-gradient(90deg,#${first} 25%,#${second} 0 50%,#${third} 0 75%,#${fourth} 0)`
  })
  return rows.join()
}

/** Enough for a colour that is shown for a moment; a page repeats sixteen of them for each cover. */
const inTwelveBits = (colour: string) =>
  (colour.match(/../g) ?? []).map((part) => Math.round(Number.parseInt(part, 16) / 17).toString(16)).join('')

/** URLs by width in pixels. */
export type CoverAddresses = Record<(typeof WIDTHS)[number], string>
/** The widths that the server generates (importer/covers/render.ts). */
const WIDTHS = [330, 600, 900] as const

/** One cover in all its file formats and sizes. Contains URLs and no book data. */
export interface CoverPicture {
  avif: CoverAddresses
  webp: CoverAddresses
  /** The crop without type, for sizes below 96 px. */
  thumb?: { avif?: string | undefined; webp: string } | undefined
  /** Intrinsic size in pixels, e.g. 900 × 900 or 900 × 1350. */
  width: number
  height: number
  /** 16 average colours, row by row, as RRGGBB without '#', in one string of 96 characters. */
  placeholder?: string | undefined
  /** The colour around a picture that does not fill its box, as `#RRGGBB`. */
  ground?: string | undefined
}

const srcSet = (addresses: CoverAddresses) =>
  WIDTHS.map((width) => `${addresses[width]} ${width}w`).join(', ')

/*
 * The value for `sizes`. Slightly too small for phones on purpose: at double density a card of 167 px
 * requests 334, and the 330 px file is half the size of the next one.
 */
const ON_A_PHONE = '41vw'

export const CAROUSEL_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, ${ON_A_PHONE}`
/** For two, three or four columns. */
export const GRID_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, (min-width: 480px) 30vw, ${ON_A_PHONE}`
