import { useEffect, useRef, useState, type CSSProperties } from 'react'
import styles from './Cover.module.css'
import { cx } from './cx.ts'

interface CoverProps {
  picture: CoverPicture
  /** "Cover of … by …"; empty beside the title in one link, where it would be said twice. */
  alt: string
  /** How wide it is shown, e.g. `(min-width: 768px) 282px, 42vw`. Needed for the right file. */
  sizes: string
  /** The largest picture of the first view: fetched at once, with priority, a deeper shadow. */
  hero?: boolean | undefined
  /** In the first view: fetched at once, without the hero's priority and shadow. */
  eager?: boolean | undefined
  /** Below 96 px: square crop without type, no shadow. */
  thumb?: boolean | undefined
  /** 55 %, for what cannot be played now. The words beside it never dim. */
  dim?: boolean | undefined
  /** Rises 4 px while the link around it is hovered. */
  lift?: boolean | undefined
  className?: string | undefined
  style?: CSSProperties | undefined
}

export function Cover({ picture, alt, sizes, hero, eager, thumb, dim, lift, className, style }: CoverProps) {
  const crop = thumb ? picture.thumb : undefined
  const image = useRef<HTMLImageElement>(null)
  // A picture that was there before this page ran (server markup, cache) must never blink.
  const [waiting, setWaiting] = useState(false)
  // A picture of another shape does not fill its box, and the placeholder would stay visible beside it.
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
 * The 4×4 average colours that stand where a cover will be, as the background images of one element: four rows of
 * four squares. Undefined when the text is not sixteen colours of six hexadecimal digits.
 */
function coverBlocks(colours: string): string | undefined {
  const blocks = colours.match(/[0-9a-f]{6}/gi) ?? []
  if (blocks.length !== 16) return undefined
  const rows = [0, 4, 8, 12].map((at) => {
    const [first, second, third, fourth] = blocks.slice(at, at + 4)
    return `linear-gradient(90deg,#${first} 25%,#${second} 0 50%,#${third} 0 75%,#${fourth} 0)`
  })
  return rows.join()
}

/** One picture of a cover in all the forms it is served in. Knows addresses, not books. */
export interface CoverPicture {
  /** Addresses by width in pixels; 330 and 900 are what the shop makes. */
  avif: { 330: string; 900: string }
  webp: { 330: string; 900: string }
  /** The crop without type, for anything below 96 px. */
  thumb?: { avif?: string | undefined; webp: string } | undefined
  /** Intrinsic size, e.g. 900 × 900 or 900 × 1350. */
  width: number
  height: number
  /** 16 average colours, row by row, as RRGGBB without '#', in one string of 96 characters. */
  placeholder?: string | undefined
  /** The colour beside a picture that does not fill its box. `#RRGGBB`. */
  ground?: string | undefined
}

const srcSet = (widths: { 330: string; 900: string }) => `${widths[330]} 330w, ${widths[900]} 900w`

/*
 * How wide a cover is drawn, for its `sizes`. On a phone it is said to be a little narrower than it is: at twice the
 * density a card of 167 px asks for 334, and the picture of 330 weighs half of the next one.
 */
const ON_A_PHONE = '41vw'

export const CAROUSEL_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, ${ON_A_PHONE}`
/** Two, three or four in a row. */
export const GRID_SIZES = `(min-width: 1280px) 282px, (min-width: 768px) 23vw, (min-width: 480px) 30vw, ${ON_A_PHONE}`
