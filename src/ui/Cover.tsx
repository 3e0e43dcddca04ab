import { useEffect, useRef, useState, type CSSProperties } from 'react'
import styles from './Cover.module.css'
import { coverBlocks } from './cover-blocks.ts'
import { srcSet, type CoverPicture } from './cover-picture.ts'
import { cx } from './cx.ts'

export interface CoverProps {
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
